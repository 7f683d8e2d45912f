package io.fengyu.console.proxy;

import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The event streams now passing through; an orderly stop ends them between two events. */
@ApplicationScoped
class OpenStreams {

  private final Set<Answer> open = ConcurrentHashMap.newKeySet();
  private final Vertx vertx;
  private final EdgeConfig config;

  OpenStreams(Vertx vertx, EdgeConfig config) {
    this.vertx = vertx;
    this.config = config;
  }

  void opened(Answer stream) {
    open.add(stream);
  }

  void closed(Answer stream) {
    open.remove(stream);
  }

  /** Waits until load balancers have noticed, as readiness is down by now. */
  void stopping(@Observes ShutdownDelayInitiatedEvent event) {
    vertx.setTimer(
        Math.max(1, config.shutdownDelay().toMillis()), now -> open.forEach(Answer::drain));
  }
}
