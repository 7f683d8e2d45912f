package io.fengyu.console.proxy;

import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** The replicas of one service, in the order the next request should try them. */
final class Upstream {

  /** A replica that refused a connection is tried last for this long. */
  private static final Duration DISTRUST = Duration.ofSeconds(2);

  private final List<URI> addresses;
  private final Predicate<URI> encrypted;
  private final AtomicInteger turn = new AtomicInteger();
  private final Map<Replica, Long> distrustedUntil = new ConcurrentHashMap<>();
  private volatile List<Replica> replicas;

  Upstream(List<URI> addresses, Predicate<URI> encrypted) {
    this.addresses = List.copyOf(addresses);
    this.encrypted = encrypted;
    this.replicas = addresses.stream().map(a -> replica(a, a.getHost())).toList();
  }

  /** The addresses as configured. */
  List<URI> addresses() {
    return addresses;
  }

  /** True when a name may stand for several machines, and so has to be looked up. */
  boolean named() {
    return addresses.stream().anyMatch(a -> !isLiteral(a.getHost()));
  }

  /** Looks every name up; one with several addresses stands for several replicas. Blocks. */
  List<Replica> resolve() {
    var found = new ArrayList<Replica>();
    for (var address : addresses) {
      found.addAll(lookUp(address));
    }
    replicas = List.copyOf(found);
    return replicas;
  }

  /** All replicas, each request starting with another one, the suspicious ones last. */
  List<Replica> inTurn() {
    var order = new ArrayList<>(replicas);
    Collections.rotate(order, -Math.floorMod(turn.getAndIncrement(), order.size()));
    var now = System.nanoTime();
    order.sort((a, b) -> Boolean.compare(distrusted(a, now), distrusted(b, now)));
    return order;
  }

  void refused(Replica replica) {
    distrustedUntil.put(replica, System.nanoTime() + DISTRUST.toNanos());
  }

  void answered(Replica replica) {
    distrustedUntil.remove(replica);
  }

  private boolean distrusted(Replica replica, long now) {
    var until = distrustedUntil.get(replica);
    return until != null && until - now > 0;
  }

  private List<Replica> lookUp(URI address) {
    if (isLiteral(address.getHost())) {
      return List.of(replica(address, address.getHost()));
    }
    try {
      var found = new ArrayList<Replica>();
      for (var ip : InetAddress.getAllByName(address.getHost())) {
        found.add(replica(address, ip.getHostAddress()));
      }
      return found;
    } catch (UnknownHostException unknown) {
      return List.of(replica(address, address.getHost())); // refused when it is tried
    }
  }

  private Replica replica(URI address, String connectTo) {
    var tls = encrypted.test(address);
    var port =
        address.getPort() > 0 ? address.getPort() : "https".equals(address.getScheme()) ? 443 : 80;
    var host = address.getHost().replaceAll("[\\[\\]]", "");
    return new Replica(
        SocketAddress.inetSocketAddress(port, connectTo.replaceAll("[\\[\\]]", "")),
        host,
        port,
        tls);
  }

  private static boolean isLiteral(String host) {
    return host.startsWith("[") || host.matches("[0-9.]+");
  }
}
