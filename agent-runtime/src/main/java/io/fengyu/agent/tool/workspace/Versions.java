package io.fengyu.agent.tool.workspace;

import io.fengyu.agent.tool.ToolException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Files that are kept in versions: {@code <name>/<number>/<name>}. A version is there as a whole or
 * not at all, and two that are added at once get different numbers, on all replicas.
 */
final class Versions {

  private static final long LARGEST = 512L << 20;
  private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,8}");

  private final Path root;

  private Versions(Path root) {
    this.root = root;
  }

  static Versions in(Path root) {
    return new Versions(root);
  }

  /** One version as it was stored. */
  record Version(int number, Path file, long size, String sha256) {}

  /** Reads and closes the content. */
  Version add(String name, SeekableByteChannel content) throws IOException, ToolException {
    var hidden = Files.createDirectories(root.resolve("." + UUID.randomUUID()));
    try (content) {
      if (content.size() > LARGEST) {
        throw new ToolException("the file is larger than 512 MiB");
      }
      var sha256 = copy(content, hidden.resolve(name));
      long size = Files.size(hidden.resolve(name));
      int number = place(hidden, Files.createDirectories(root.resolve(name)));
      return new Version(
          number, root.resolve(name).resolve(Integer.toString(number)).resolve(name), size, sha256);
    } finally {
      Files.deleteIfExists(hidden.resolve(name));
      Files.deleteIfExists(hidden);
    }
  }

  private static String copy(SeekableByteChannel content, Path file) throws IOException {
    var digest = sha256();
    var piece = ByteBuffer.allocate(65_536);
    try (var out =
        Files.newByteChannel(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      while (content.read(piece.clear()) >= 0) {
        digest.update(piece.flip());
        for (piece.rewind(); piece.hasRemaining(); ) {
          out.write(piece);
        }
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  // Moving a directory onto one that holds something fails: then somebody else was first.
  private static int place(Path made, Path versions) throws IOException {
    for (int number = newest(versions) + 1; ; number++) {
      var place = versions.resolve(Integer.toString(number));
      try {
        Files.move(made, place, StandardCopyOption.ATOMIC_MOVE);
        return number;
      } catch (FileSystemException taken) {
        if (!Files.isDirectory(place)) {
          throw taken;
        }
      }
    }
  }

  private static int newest(Path versions) throws IOException {
    try (var all = Files.list(versions)) {
      return all.map(path -> path.getFileName().toString())
          .filter(name -> NUMBER.matcher(name).matches())
          .mapToInt(Integer::parseInt)
          .max()
          .orElse(0);
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
