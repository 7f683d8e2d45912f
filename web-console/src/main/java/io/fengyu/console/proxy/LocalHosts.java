package io.fengyu.console.proxy;

import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * While bound to loopback, answers to local names only: a web page whose name is pointed at this
 * machine must not reach it.
 */
@ApplicationScoped
class LocalHosts {

  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "::1");

  private final boolean restricted;
  private final Set<String> names = new HashSet<>(LOOPBACK);

  LocalHosts(EdgeConfig config) {
    restricted = LOOPBACK.contains(config.host());
    config.allowedHosts().orElse(List.of()).forEach(n -> names.add(n.toLowerCase(Locale.ROOT)));
  }

  boolean allow(HttpServerRequest request) {
    var authority = request.authority();
    return !restricted || (authority != null && isLocal(authority.host()));
  }

  private boolean isLocal(String host) {
    return names.contains(host.replaceAll("[\\[\\]]", "").toLowerCase(Locale.ROOT));
  }
}
