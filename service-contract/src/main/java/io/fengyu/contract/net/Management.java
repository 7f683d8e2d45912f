package io.fengyu.contract.net;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.runtime.VertxHttpRecorder;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.OptionalInt;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/** The management port of this service, where one is configured. */
@ApplicationScoped
public class Management {

  private final NetConfig config;
  private final Vertx vertx;
  private final String host;
  private volatile @Nullable ManagementListener listener;

  Management(
      NetConfig config, Vertx vertx, @ConfigProperty(name = "quarkus.http.host") String host) {
    this.config = config;
    this.vertx = vertx;
    this.host = host;
  }

  /** Where it listens; empty without one. */
  public OptionalInt port() {
    var open = listener;
    return open == null ? OptionalInt.empty() : OptionalInt.of(open.port());
  }

  /** True for a request that came in there. */
  public boolean took(HttpServerRequest request) {
    var open = listener;
    return open != null && open.took(request);
  }

  void start(@Observes StartupEvent started) {
    config
        .managementPort()
        .ifPresent(
            port ->
                listener =
                    ManagementListener.open(vertx, host, port, VertxHttpRecorder.getRootHandler()));
  }

  void stop(@Observes ShutdownEvent stopped) {
    var open = listener;
    if (open != null) {
      open.close();
    }
  }
}
