package io.fengyu.contract.net;

import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.TrustOptions;
import java.net.URI;
import java.util.List;

/**
 * Encryption between services without certificates to hand out: every process makes a key of its
 * own, and its certificate is sealed with the internal secret. Whoever knows the secret can be
 * called, and nobody else.
 */
public final class InternalTls {

  private final boolean on;
  private final List<String> secrets;

  /**
   * With what it is sealed, and, while secrets are changed, what is believed as well.
   *
   * @param secrets the current one first
   */
  public InternalTls(boolean on, List<String> secrets) {
    this.on = on;
    this.secrets = List.copyOf(secrets);
    if (on && secrets.isEmpty()) {
      throw new IllegalStateException("INTERNAL_TLS needs INTERNAL_SERVICE_SECRET");
    }
  }

  /** True when services speak TLS with each other. */
  public boolean on() {
    return on;
  }

  /** Makes a listener speak TLS only. */
  public void listen(HttpServerOptions options) {
    if (on) {
      options
          .setSsl(true)
          .setKeyCertOptions(KeyCertOptions.wrap(SealedCertificate.make(secrets.getFirst())));
    }
  }

  /** Makes a client believe sealed certificates, and no others; names don't count. */
  public <T extends HttpClientOptions> T call(T options) {
    if (on) {
      options.setTrustOptions(TrustOptions.wrap(new SealTrust(secrets))).setVerifyHost(false);
    }
    return options;
  }

  /** Where a peer is called whose address is this. */
  public URI address(URI peer) {
    return on && "http".equals(peer.getScheme())
        ? URI.create("https" + peer.toString().substring("http".length()))
        : peer;
  }
}
