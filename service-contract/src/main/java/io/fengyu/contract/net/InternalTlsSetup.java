package io.fengyu.contract.net;

import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.vertx.core.http.HttpServerOptions;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Applies INTERNAL_TLS to this service's own port and gives it to its clients. */
@Singleton
class InternalTlsSetup implements HttpServerOptionsCustomizer {

  private final InternalTls tls;

  InternalTlsSetup(
      NetConfig config,
      @ConfigProperty(name = "fengyu.authentication.internal-secret") Optional<String> current,
      @ConfigProperty(name = "fengyu.authentication.previous-internal-secret")
          Optional<String> previous) {
    tls =
        new InternalTls(
            config.internalTls(), Stream.of(current, previous).flatMap(Optional::stream).toList());
  }

  @Produces
  @Singleton
  InternalTls tls() {
    return tls;
  }

  @Override
  public void customizeHttpServer(HttpServerOptions options) {
    tls.listen(options);
  }
}
