package io.fengyu.contract.net;

import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** Believes a certificate whose name is the seal of its own key. */
final class SealTrust extends X509ExtendedTrustManager {

  private final List<String> secrets;

  SealTrust(List<String> secrets) {
    this.secrets = secrets;
  }

  private void check(X509Certificate[] chain) throws CertificateException {
    if (chain.length == 0) {
      throw new CertificateException("no certificate");
    }
    var certificate = chain[0];
    try {
      certificate.verify(certificate.getPublicKey());
    } catch (GeneralSecurityException forged) {
      throw new CertificateException("the certificate is not signed with its own key", forged);
    }
    var name = certificate.getSubjectX500Principal().getName();
    var sealed = false;
    for (var secret : secrets) {
      sealed |= same(name, "CN=" + Seal.of(certificate.getPublicKey(), secret));
    }
    if (!sealed) {
      throw new CertificateException("the certificate is not one of these services'");
    }
  }

  private static boolean same(String a, String b) {
    return MessageDigest.isEqual(
        a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    check(chain);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
