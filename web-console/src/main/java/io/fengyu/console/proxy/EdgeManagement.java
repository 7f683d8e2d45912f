package io.fengyu.console.proxy;

import io.fengyu.contract.net.ManagementListener;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.runtime.VertxHttpRecorder;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The management port of the edge, where one is configured. */
@ApplicationScoped
class EdgeManagement {

  private final EdgeConfig config;
  private final Vertx vertx;
  private volatile @Nullable ManagementListener listener;

  EdgeManagement(EdgeConfig config, Vertx vertx) {
    this.config = config;
    this.vertx = vertx;
  }

  OptionalInt port() {
    var open = listener;
    return open == null ? OptionalInt.empty() : OptionalInt.of(open.port());
  }

  boolean took(HttpServerRequest request) {
    var open = listener;
    return open != null && open.took(request);
  }

  void start(@Observes StartupEvent started) {
    config
        .managementPort()
        .ifPresent(
            port ->
                listener =
                    ManagementListener.open(
                        vertx, config.host(), port, VertxHttpRecorder.getRootHandler()));
  }

  void stop(@Observes ShutdownEvent stopped) {
    var open = listener;
    if (open != null) {
      open.close();
    }
  }
}
