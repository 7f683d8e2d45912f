package io.fengyu.launcher;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** The programs of Postgres, unpacked once from the jar of this platform. */
final class PostgresFiles {

  private static final String VERSION = version();

  /** Data directories of another major version cannot be used. */
  static final String MAJOR = VERSION.substring(0, VERSION.indexOf('.'));

  private PostgresFiles() {}

  /** Where they are; unpacks them first, in a process of its own, because that takes memory. */
  static Path unpacked(Path home, Helper helper) {
    var target = home.resolve("deploy/launcher/target/postgres-" + VERSION);
    if (!Files.isExecutable(target.resolve("bin/postgres"))) {
      helper.run("unpack-postgres", List.of(target.toString()));
    }
    return target;
  }

  /** Unpacks beside the target and moves the whole into place. */
  static void unpack(Path target) throws IOException {
    var beside = target.resolveSibling(target.getFileName() + "." + ProcessHandle.current().pid());
    try (var packed = PostgresFiles.class.getResourceAsStream("/" + archive())) {
      if (packed == null) {
        throw new LaunchException(
            "There is no embedded Postgres for this platform (" + archive() + "): set DB_HOST");
      }
      extract(packed, beside);
    }
    if (!Files.exists(target)) {
      Files.move(beside, target, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  private static void extract(InputStream packed, Path into) throws IOException {
    try (var tar =
        new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(packed, 1 << 16)))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        place(tar, entry, into);
      }
    }
  }

  private static void place(TarArchiveInputStream tar, TarArchiveEntry entry, Path into)
      throws IOException {
    var file = into.resolve(entry.getName()).normalize();
    if (!file.startsWith(into)) {
      throw new IOException("Entry outside the archive: " + entry.getName());
    }
    if (entry.isDirectory()) {
      Files.createDirectories(file);
    } else {
      Files.createDirectories(file.getParent());
      if (entry.isSymbolicLink()) {
        Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
      } else {
        Files.copy(tar, file);
        var mode = (entry.getMode() & 0100) != 0 ? "rwxr-xr-x" : "rw-r--r--";
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
      }
    }
  }

  private static String archive() {
    var arm = System.getProperty("os.arch").toLowerCase(Locale.ROOT).matches("aarch64|arm64");
    if (Shell.mac()) {
      return "postgres-darwin-" + (arm ? "arm_64" : "x86_64") + ".txz";
    }
    var musl = Files.exists(Path.of("/etc/alpine-release"));
    return "postgres-linux-" + (arm ? "arm_64" : "x86_64") + (musl ? "-alpine_linux" : "") + ".txz";
  }

  private static String version() {
    var versions = new Properties();
    try (var in = PostgresFiles.class.getResourceAsStream("postgres.properties")) {
      versions.load(in);
    } catch (IOException unreadable) {
      throw new LaunchException("The launcher's jar is damaged", unreadable);
    }
    return versions.getProperty("version");
  }
}
