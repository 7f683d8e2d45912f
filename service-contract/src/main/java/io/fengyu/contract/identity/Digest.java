package io.fengyu.contract.identity;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** A secret as it is stored and compared: its SHA-256, never itself. */
public final class Digest {

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int SECRET_BYTES = 32;

  private final byte[] bytes;

  private Digest(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Of a secret. */
  public static Digest of(String secret) {
    try {
      var sha = MessageDigest.getInstance("SHA-256");
      return new Digest(sha.digest(secret.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** 256 random bits, safe in a URL. */
  public static String newSecret() {
    var bytes = new byte[SECRET_BYTES];
    RANDOM.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** The 32 bytes to store. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** The same as 64 lower-case hexadecimal digits. */
  public String hex() {
    return HexFormat.of().formatHex(bytes);
  }

  /** In constant time; digests have one length, so the secrets' lengths don't show. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Digest digest && MessageDigest.isEqual(bytes, digest.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }
}
