package io.fengyu.console.proxy;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Every service's replicas; the launcher may replace them while requests are under way. */
@ApplicationScoped
class Upstreams {

  private static final Duration LOOK_UP_AGAIN = Duration.ofSeconds(5);

  private final Map<Owner, Upstream> byOwner = new ConcurrentHashMap<>();
  private final Map<Upstream, Long> lookedUp = new ConcurrentHashMap<>();
  private final Vertx vertx;
  private final ServiceTls tls;

  Upstreams(EdgeConfig config, Vertx vertx, ServiceTls tls) {
    this.vertx = vertx;
    this.tls = tls;
    var configured = new EnumMap<Owner, List<String>>(Owner.class);
    configured.put(Owner.CHAT, config.chat());
    configured.put(Owner.AGENT, config.agent());
    configured.put(Owner.WORKFLOW, config.workflow());
    configured.put(Owner.SCHEDULER, config.scheduler());
    configured.put(Owner.WEBHOOK, config.webhook());
    configured.forEach(
        (owner, addresses) ->
            replace(owner, addresses.stream().map(a -> parse(owner, a)).toList()));
  }

  /** From now on requests of this owner go to these addresses. */
  void replace(Owner owner, List<URI> addresses) {
    var before = byOwner.put(owner, new Upstream(addresses, tls::to));
    if (before != null) {
      lookedUp.remove(before);
    }
  }

  /** The owner's replicas; names are looked up at most every few seconds, off the event loop. */
  Future<Upstream> of(Owner owner) {
    var upstream = byOwner.get(owner);
    if (upstream == null) {
      throw new IllegalStateException("No address for " + owner);
    }
    if (!upstream.named()) {
      return Future.succeededFuture(upstream);
    }
    var now = System.nanoTime();
    var last = lookedUp.get(upstream);
    if (last != null && now - last < LOOK_UP_AGAIN.toNanos()) {
      return Future.succeededFuture(upstream);
    }
    lookedUp.put(upstream, now);
    var looking = vertx.executeBlocking(upstream::resolve, false).map(done -> upstream);
    return last == null ? looking : Future.succeededFuture(upstream);
  }

  /** Reads one address of configuration or of the peers document. */
  static URI parse(Owner owner, String text) {
    try {
      var address = URI.create(text.strip());
      if (address.getHost() != null && String.valueOf(address.getScheme()).matches("https?")) {
        return address;
      }
    } catch (IllegalArgumentException notAnAddress) {
      throw refused(owner, text, notAnAddress);
    }
    throw refused(owner, text, null);
  }

  private static IllegalArgumentException refused(
      Owner owner, String text, @org.jspecify.annotations.Nullable Throwable cause) {
    return new IllegalArgumentException(
        owner.name() + "_URL: not an http address: '" + text + "'", cause);
  }
}
