package io.fengyu.agent.plugin.archive;

import io.fengyu.agent.plugin.PluginProblems;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * A package as a zip. The directory at its end is what counts, for checking and for unpacking
 * alike; whatever sizes it claims, no more than {@link #UNPACKED} bytes ever come out.
 */
public final class PackageZip implements AutoCloseable {

  /** Bytes of a package. */
  public static final long PACKED = 64L << 20;

  /** Bytes of everything in it. */
  public static final long UNPACKED = 256L << 20;

  /** Files and directories in it. */
  public static final int ENTRIES = 2_000;

  private static final int PIECE = 64 * 1024;
  private static final int FILE_TYPE = 0170000;
  private static final int REGULAR = 0100000;
  private static final int DIRECTORY = 0040000;
  private static final int ANY_EXECUTE = 0111;

  private final ZipFile zip;
  private final Map<String, ZipArchiveEntry> files = new LinkedHashMap<>();

  private PackageZip(ZipFile zip) {
    this.zip = zip;
  }

  /**
   * Opens a package and looks at the names and kinds of all its entries.
   *
   * @throws io.fengyu.contract.problem.ProblemException 400 for what no package may hold
   */
  public static PackageZip open(Path file) throws IOException {
    var opened = new PackageZip(directory(file));
    try {
      opened.index();
      return opened;
    } catch (RuntimeException refused) {
      opened.close();
      throw refused;
    }
  }

  private static ZipFile directory(Path file) {
    try {
      return ZipFile.builder().setPath(file).get();
    } catch (IOException | IllegalArgumentException damaged) {
      throw PluginProblems.packageInvalid("", "it is no complete zip file");
    }
  }

  private void index() {
    var names = new EntryNames();
    int count = 0;
    for (var entry : Collections.list(zip.getEntries())) {
      if (++count > ENTRIES) {
        throw PluginProblems.packageInvalid("", "it holds more than " + ENTRIES + " entries");
      }
      var kind = kind(entry);
      names.add(entry.getName(), kind == DIRECTORY);
      if (kind == REGULAR) {
        readable(entry);
        files.put(entry.getName(), entry);
      }
    }
  }

  private static int kind(ZipArchiveEntry entry) {
    int type = mode(entry) & FILE_TYPE;
    int expected = entry.isDirectory() ? DIRECTORY : REGULAR;
    if (entry.isUnixSymlink() || (type != 0 && type != expected)) {
      throw refused(entry, "it is neither a file nor a directory");
    }
    return expected;
  }

  private static int mode(ZipArchiveEntry entry) {
    return (int) (entry.getExternalAttributes() >> 16);
  }

  private static void readable(ZipArchiveEntry entry) {
    if (entry.getGeneralPurposeBit().usesEncryption()) {
      throw refused(entry, "it is encrypted");
    }
    if (entry.getMethod() != ZipEntry.STORED && entry.getMethod() != ZipEntry.DEFLATED) {
      throw refused(entry, "it is compressed in a way that is not known here");
    }
  }

  private static RuntimeException refused(ZipArchiveEntry entry, String reason) {
    return PluginProblems.packageInvalid(EntryNames.shown(entry.getName()), reason);
  }

  /** True for a file of that name. */
  public boolean has(String name) {
    return files.containsKey(name);
  }

  /** A small file as a whole; null when there is none of that name. */
  public byte @Nullable [] read(String name, int most) throws IOException {
    var entry = files.get(name);
    if (entry == null) {
      return null;
    }
    try (var in = zip.getInputStream(entry)) {
      var bytes = in.readNBytes(most + 1);
      if (bytes.length > most) {
        throw refused(entry, "it is longer than " + most + " bytes");
      }
      return bytes;
    } catch (IOException damaged) {
      throw refused(entry, "it is damaged");
    }
  }

  /** Reads everything once, so that nothing can go wrong with it later. */
  public void check() throws IOException {
    var left = new Allowance();
    for (var entry : files.values()) {
      copy(entry, OutputStream.nullOutputStream(), left);
    }
  }

  /** Writes all files below a directory that is empty. */
  public void unpack(Path directory) throws IOException {
    var left = new Allowance();
    for (var entry : files.values()) {
      var place = directory.resolve(entry.getName()).normalize();
      if (!place.startsWith(directory)) {
        throw refused(entry, "it leaves the package");
      }
      Files.createDirectories(place.getParent());
      try (var out = Files.newOutputStream(place)) {
        copy(entry, out, left);
      }
      if (entry.getName().startsWith("bin/") || (mode(entry) & ANY_EXECUTE) != 0) {
        makeExecutable(place);
      }
    }
  }

  private static void makeExecutable(Path file) throws IOException {
    if (Files.getFileStore(file).supportsFileAttributeView("posix")) {
      var rights = EnumSet.copyOf(Files.getPosixFilePermissions(file));
      rights.addAll(Set.of(PosixFilePermission.OWNER_EXECUTE, PosixFilePermission.GROUP_EXECUTE));
      Files.setPosixFilePermissions(file, rights);
    }
  }

  private void copy(ZipArchiveEntry entry, OutputStream out, Allowance left) throws IOException {
    var crc = new CRC32();
    long size = 0;
    try (var in = zip.getInputStream(entry)) {
      var piece = new byte[PIECE];
      for (int read = read(entry, in, piece); read >= 0; read = read(entry, in, piece)) {
        left.take(read);
        size += read;
        crc.update(piece, 0, read);
        out.write(piece, 0, read);
      }
    }
    if (size != entry.getSize() || (int) crc.getValue() != (int) entry.getCrc()) {
      throw refused(
          entry, "it is damaged: its checksum is " + HexFormat.of().toHexDigits(crc.getValue()));
    }
  }

  private static int read(ZipArchiveEntry entry, InputStream in, byte[] piece) {
    try {
      return in.read(piece);
    } catch (IOException damaged) {
      throw refused(entry, "it is damaged");
    }
  }

  /** Names of all files, in the order of the directory. */
  public Iterable<String> names() {
    return new ArrayList<>(files.keySet());
  }

  @Override
  public void close() throws IOException {
    zip.close();
  }

  /** What may still come out. */
  private static final class Allowance {

    private long left = UNPACKED;

    void take(int bytes) {
      left -= bytes;
      if (left < 0) {
        throw PluginProblems.packageInvalid(
            "", "it unpacks to more than " + UNPACKED + " bytes (a zip bomb?)");
      }
    }
  }
}
