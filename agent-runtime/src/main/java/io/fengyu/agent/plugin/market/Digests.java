package io.fengyu.agent.plugin.market;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names of packages that follow from their bytes. */
final class Digests {

  private Digests() {}

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  static String of(Path file) throws IOException {
    var sha = sha256();
    try (var out = new DigestOutputStream(OutputStream.nullOutputStream(), sha)) {
      Files.copy(file, out);
    }
    return HexFormat.of().formatHex(sha.digest());
  }
}
