package io.fengyu.contract.secret;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** An encryption key derived (HKDF-SHA256) from what an operator configured, and its public id. */
record MachineKey(String id, SecretKeySpec key) {

  private static final int MIN_LENGTH = 16;
  private static final int ID_BYTES = 6;

  static MachineKey of(String variable, String configured) {
    if (configured.length() < MIN_LENGTH) {
      throw new IllegalArgumentException(
          variable + " must have at least " + MIN_LENGTH + " characters");
    }
    var secret = hmac(utf8("fengyu secrets"), utf8(configured));
    var id = hmac(secret, utf8("key id\1"));
    return new MachineKey(
        HexFormat.of().formatHex(id, 0, ID_BYTES),
        new SecretKeySpec(hmac(secret, utf8("aes-256-gcm\1")), "AES"));
  }

  @Override
  public String toString() {
    return "MachineKey[" + id + "]";
  }

  private static byte[] hmac(byte[] key, byte[] text) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(text);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("HMAC-SHA256 is missing from this Java", impossible);
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
