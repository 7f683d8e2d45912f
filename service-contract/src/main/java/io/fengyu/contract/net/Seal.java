package io.fengyu.contract.net;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** What only somebody who knows the internal secret can say about a public key. */
final class Seal {

  private static final String PURPOSE = "fengyu internal tls\n";

  private Seal() {}

  static String of(PublicKey key, String secret) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      mac.update(PURPOSE.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(mac.doFinal(key.getEncoded()));
    } catch (GeneralSecurityException absent) {
      throw new IllegalStateException("every Java has HmacSHA256", absent);
    }
  }
}
