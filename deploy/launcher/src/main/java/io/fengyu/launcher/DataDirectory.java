package io.fengyu.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Properties;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Everything that is kept between two starts, in one directory. */
final class DataDirectory {

  private static final long LEAST_ROOM = 300L << 20;

  private final Path root;
  private final Properties secrets = new Properties();

  private DataDirectory(Path root) {
    this.root = root;
  }

  static DataDirectory open(Path root) {
    try {
      Files.createDirectories(root.resolve("logs"));
      Files.createDirectories(root.resolve("files"));
      if (Files.getFileStore(root).getUsableSpace() < LEAST_ROOM) {
        throw new LaunchException(
            "The disk of " + root + " is full: at least 300 MB are needed to start");
      }
      var directory = new DataDirectory(root);
      directory.readSecrets();
      return directory;
    } catch (IOException unusable) {
      throw new LaunchException("Cannot use data directory " + root + ": " + unusable, unusable);
    }
  }

  /** Held by the one launcher that works on this directory; null when another one does. */
  static @Nullable FileLock lock(Path root) throws IOException {
    var channel =
        FileChannel.open(
            root.resolve("launcher.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      var lock = channel.tryLock();
      if (lock == null) {
        channel.close();
      }
      return lock;
    } catch (OverlappingFileLockException held) {
      channel.close();
      return null;
    }
  }

  Path root() {
    return root;
  }

  Path log(String name) {
    return root.resolve("logs").resolve(name + ".log");
  }

  Path tokenFile() {
    return root.resolve("token");
  }

  /** Where the control socket is; short enough for the operating system. */
  static Path socket(Path root) {
    var beside = root.resolve("control.sock");
    if (beside.toString().length() < 100) {
      return beside;
    }
    var name = "fengyu-" + Integer.toHexString(root.toString().hashCode());
    return Path.of(System.getProperty("java.io.tmpdir"), name, "control.sock");
  }

  /** The secret of this name, made and stored when it is asked for the first time. */
  String secret(String name) {
    var known = secrets.getProperty(name);
    if (known != null) {
      return known;
    }
    var random = new byte[32];
    new SecureRandom().nextBytes(random);
    var made = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    secrets.setProperty(name, made);
    var lines = new StringBuilder();
    new TreeMap<>(secrets).forEach((k, v) -> lines.append(k).append('=').append(v).append('\n'));
    writePrivate(root.resolve("secrets"), lines.toString());
    return made;
  }

  /** The stored token; {@code wanted} replaces it. */
  String token(@Nullable String wanted) {
    try {
      if (wanted != null && !wanted.isBlank()) {
        writePrivate(tokenFile(), wanted + "\n");
        return wanted;
      }
      if (!Files.exists(tokenFile())) {
        var random = new byte[32];
        new SecureRandom().nextBytes(random);
        var made = "fy_" + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        writePrivate(tokenFile(), made + "\n");
      }
      return Files.readString(tokenFile()).strip();
    } catch (IOException unreadable) {
      throw new LaunchException("Cannot read " + tokenFile() + ": " + unreadable, unreadable);
    }
  }

  /** Replaces a file that only its owner may read, whole or not at all. */
  static void writePrivate(Path file, String content) {
    try {
      var fresh = file.resolveSibling(file.getFileName() + ".new");
      Files.deleteIfExists(fresh);
      Files.createFile(
          fresh,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(fresh, content);
      Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException unwritable) {
      throw new LaunchException("Cannot write " + file + ": " + unwritable, unwritable);
    }
  }

  private void readSecrets() throws IOException {
    var file = root.resolve("secrets");
    if (Files.exists(file)) {
      try (var in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
        secrets.load(in);
      }
    }
  }

  /** Starts a new log when the old one has grown large; one old one is kept. */
  Path freshLog(String name) {
    var log = log(name);
    try {
      if (Files.exists(log) && Files.size(log) > (16L << 20)) {
        Files.move(log, log(name + ".1"), StandardCopyOption.REPLACE_EXISTING);
      }
      return log;
    } catch (IOException unwritable) {
      throw new UncheckedIOException(unwritable);
    }
  }
}
