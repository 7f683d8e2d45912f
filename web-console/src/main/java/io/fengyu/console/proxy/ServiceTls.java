package io.fengyu.console.proxy;

import io.fengyu.contract.net.InternalTls;
import io.vertx.core.http.HttpClientOptions;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.util.Optional;
import java.util.stream.Stream;

/** Encryption between the edge and the services. */
@ApplicationScoped
class ServiceTls {

  private final InternalTls tls;

  ServiceTls(EdgeConfig config) {
    tls =
        new InternalTls(
            config.internalTls(),
            Stream.of(config.internalSecret(), config.previousInternalSecret())
                .flatMap(Optional::stream)
                .toList());
  }

  HttpClientOptions call(HttpClientOptions options) {
    return tls.call(options);
  }

  /** True when a replica at this address is called by TLS. */
  boolean to(URI address) {
    return tls.on() || "https".equals(address.getScheme());
  }
}
