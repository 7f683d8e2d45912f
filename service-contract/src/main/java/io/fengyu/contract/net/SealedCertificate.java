package io.fengyu.contract.net;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** A fresh key and a certificate, signed with it, whose name is the key's seal. */
final class SealedCertificate extends X509ExtendedKeyManager {

  private static final String ALIAS = "service";

  private static final int SEQUENCE = 0x30;
  private static final int SET = 0x31;
  private static final int INTEGER = 0x02;
  private static final int BIT_STRING = 0x03;
  private static final int UTF8 = 0x0c;
  private static final int UTC_TIME = 0x17;

  private static final byte[] ECDSA_WITH_SHA256 = {
    0x06, 0x08, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x04, 0x03, 0x02
  };
  private static final byte[] COMMON_NAME = {0x06, 0x03, 0x55, 0x04, 0x03};

  private final PrivateKey key;
  private final X509Certificate certificate;

  private SealedCertificate(PrivateKey key, X509Certificate certificate) {
    this.key = key;
    this.certificate = certificate;
  }

  static SealedCertificate make(String secret) {
    try {
      var generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      var pair = generator.generateKeyPair();
      var encoded = encode(pair, Seal.of(pair.getPublic(), secret));
      var parsed =
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(encoded));
      return new SealedCertificate(pair.getPrivate(), (X509Certificate) parsed);
    } catch (GeneralSecurityException absent) {
      throw new IllegalStateException("every Java has these algorithms", absent);
    }
  }

  /** X.509, version 1: no extensions are needed where the name says it all. */
  private static byte[] encode(KeyPair pair, String seal) throws GeneralSecurityException {
    var algorithm = der(SEQUENCE, ECDSA_WITH_SHA256);
    var name = name(seal);
    var content =
        der(
            SEQUENCE,
            der(INTEGER, new BigInteger(120, new SecureRandom()).add(BigInteger.ONE).toByteArray()),
            algorithm,
            name,
            der(SEQUENCE, time("000101000000Z"), time("491231235959Z")),
            name,
            pair.getPublic().getEncoded());
    var signer = Signature.getInstance("SHA256withECDSA");
    signer.initSign(pair.getPrivate());
    signer.update(content);
    return der(SEQUENCE, content, algorithm, der(BIT_STRING, new byte[1], signer.sign()));
  }

  private static byte[] name(String common) {
    var text = der(UTF8, common.getBytes(StandardCharsets.UTF_8));
    return der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, text)));
  }

  private static byte[] time(String utc) {
    return der(UTC_TIME, utc.getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] der(int tag, byte[]... parts) {
    var content = new ByteArrayOutputStream();
    for (var part : parts) {
      content.writeBytes(part);
    }
    var out = new ByteArrayOutputStream();
    out.write(tag);
    if (content.size() < 0x80) {
      out.write(content.size());
    } else {
      var length = BigInteger.valueOf(content.size()).toByteArray();
      var skip = length[0] == 0 ? 1 : 0;
      out.write(0x80 | (length.length - skip));
      out.write(length, skip, length.length - skip);
    }
    out.writeBytes(content.toByteArray());
    return out.toByteArray();
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return new X509Certificate[] {certificate};
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return key;
  }

  @Override
  public String[] getServerAliases(String type, Principal @Nullable [] issuers) {
    return new String[] {ALIAS};
  }

  @Override
  public @Nullable String chooseServerAlias(
      String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return type.equals("EC") ? ALIAS : null;
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String type, Principal @Nullable [] issuers, SSLEngine engine) {
    return type.equals("EC") ? ALIAS : null;
  }

  @Override
  public String[] getClientAliases(String type, Principal @Nullable [] issuers) {
    return new String[0];
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null;
  }
}
