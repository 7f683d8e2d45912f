package io.fengyu.contract.client;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** The processes of one service; a name with several addresses stands for several of them. */
final class PeerAddresses {

  static final Duration LOOK_UP_AGAIN = Duration.ofSeconds(5);

  /** A process that could not be connected to is tried last for this long. */
  static final Duration DISTRUST = Duration.ofSeconds(2);

  /** How names become addresses. */
  interface Names {

    /** Addresses of a host, or none. Blocks. */
    List<String> of(String host);
  }

  private final List<URI> configured;
  private final Names names;
  private final LongSupplier nanos;
  private final AtomicInteger turn = new AtomicInteger();
  private final AtomicLong lookedUp;
  private final Map<URI, Long> distrustedUntil = new ConcurrentHashMap<>();
  private volatile List<URI> processes;
  private volatile boolean known;

  PeerAddresses(List<URI> configured, Names names, LongSupplier nanos) {
    this.configured = List.copyOf(configured);
    this.processes = this.configured;
    this.names = names;
    this.nanos = nanos;
    this.lookedUp = new AtomicLong(nanos.getAsLong() - LOOK_UP_AGAIN.toNanos());
    this.known = configured.stream().noneMatch(PeerAddresses::named);
  }

  /** What the machine's resolver says. */
  static List<String> byResolver(String host) {
    try {
      return Arrays.stream(InetAddress.getAllByName(host))
          .map(InetAddress::getHostAddress)
          .map(ip -> ip.contains(":") ? "[" + ip + "]" : ip)
          .toList();
    } catch (UnknownHostException unknown) {
      return List.of(); // said when it is connected to
    }
  }

  /** False until names have been looked up once. */
  boolean known() {
    return known;
  }

  /** True for one caller every few seconds, who then has to look names up. */
  boolean due() {
    var before = lookedUp.get();
    var now = nanos.getAsLong();
    return now - before >= LOOK_UP_AGAIN.toNanos()
        && configured.stream().anyMatch(PeerAddresses::named)
        && lookedUp.compareAndSet(before, now);
  }

  /** Blocks. */
  void lookUp() {
    var found = configured.stream().flatMap(address -> each(address).stream()).toList();
    processes = found;
    distrustedUntil.keySet().retainAll(found);
    known = true;
  }

  /** All of them, every time another one first, those that could not be reached last. */
  List<URI> inTurn() {
    var order = new ArrayList<>(processes);
    if (order.size() > 1) {
      Collections.rotate(order, -Math.floorMod(turn.getAndIncrement(), order.size()));
      var now = nanos.getAsLong();
      order.sort((a, b) -> Boolean.compare(distrusted(a, now), distrusted(b, now)));
    }
    return order;
  }

  void refused(URI process) {
    if (processes.contains(process)) {
      distrustedUntil.put(process, nanos.getAsLong() + DISTRUST.toNanos());
    }
  }

  private boolean distrusted(URI process, long now) {
    var until = distrustedUntil.get(process);
    return until != null && until - now > 0;
  }

  private List<URI> each(URI address) {
    var ips = named(address) ? names.of(address.getHost()) : List.<String>of();
    return ips.isEmpty()
        ? List.of(address)
        : ips.stream().map(ip -> URI.create("http://" + ip + port(address))).toList();
  }

  private static String port(URI address) {
    return address.getPort() < 0 ? "" : ":" + address.getPort();
  }

  // A certificate is for the name, so that one stays.
  private static boolean named(URI address) {
    var host = address.getHost();
    return address.getScheme().equals("http")
        && !host.startsWith("[")
        && !host.matches("[0-9.]+")
        && !host.equals("localhost");
  }
}
