package io.fengyu.webhook.signature;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA256 over a prefix and the raw bytes of a body. */
final class Hmac {

  private static final String ALGORITHM = "HmacSHA256";

  private Hmac() {}

  static byte[] of(byte[] key, String prefix, byte[] body) {
    try {
      var mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      mac.update(prefix.getBytes(StandardCharsets.UTF_8));
      return mac.doFinal(body);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("HMAC-SHA256 is missing from this Java", impossible);
    }
  }

  /** In constant time. */
  static boolean sameHex(byte[] expected, String sent) {
    var hex = HexFormat.of().formatHex(expected).getBytes(StandardCharsets.US_ASCII);
    return MessageDigest.isEqual(hex, sent.getBytes(StandardCharsets.UTF_8));
  }
}
