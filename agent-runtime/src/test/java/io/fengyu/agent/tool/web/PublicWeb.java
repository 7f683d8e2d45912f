package io.fengyu.agent.tool.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fengyu.agent.tool.WebRules;
import io.fengyu.contract.outbound.TargetPolicy;
import io.fengyu.contract.outbound.TargetPolicy.TargetRefusedException;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/**
 * A web of one server: names are looked up in a script and checked by the real policy; what it lets
 * through is public, and is led to the server.
 */
public final class PublicWeb implements AutoCloseable {

  public static final String PUBLIC = "93.184.216.34";

  /** Hosts that were connected to, as the server was told. */
  public final List<String> asked = Collections.synchronizedList(new ArrayList<>());

  /** How often a host was looked up. */
  public final Map<String, Integer> lookups = new ConcurrentHashMap<>();

  /** Addresses that were dialled. */
  public final List<InetSocketAddress> dialled = Collections.synchronizedList(new ArrayList<>());

  /** Domains that rules deny, and those they ask about. */
  public final Map<String, String> denied = new HashMap<>();

  public final Map<String, String> askedAbout = new HashMap<>();

  private final HttpServer server;
  private final Vertx vertx = Vertx.vertx();
  private final Map<String, Deque<String>> names = new ConcurrentHashMap<>();
  private final Map<String, Handler> pages = new ConcurrentHashMap<>();
  private final TargetPolicy policy =
      new TargetPolicy(List.of(URI.create("http://agent.internal:8082")), 8082, this::lookUp);

  /** Answers a request. */
  public interface Handler {
    void answer(HttpExchange exchange) throws IOException, InterruptedException;
  }

  /** Begins to serve. */
  public PublicWeb() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::serve);
    server.start();
  }

  /** Of the server. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** The answers of a name, one look-up after the other; the last stays. */
  public PublicWeb name(String host, String... addresses) {
    names.put(host, new ArrayDeque<>(List.of(addresses)));
    return this;
  }

  public PublicWeb page(String path, Handler handler) {
    pages.put(path, handler);
    return this;
  }

  public PublicWeb page(String path, String contentType, String body) {
    return page(path, contentType, body.getBytes(StandardCharsets.UTF_8));
  }

  public PublicWeb page(String path, String contentType, byte[] body) {
    return page(
        path,
        exchange -> {
          exchange.getResponseHeaders().set("Content-Type", contentType);
          exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
          exchange.getResponseBody().write(body);
        });
  }

  public PublicWeb redirect(String path, int status, String location) {
    return page(
        path,
        exchange -> {
          exchange.getResponseHeaders().set("Location", location);
          exchange.sendResponseHeaders(status, -1);
        });
  }

  /** The real policy, over this web. */
  public Targets policy() {
    return this::targets;
  }

  WebReader reader() {
    return reader(Duration.ofSeconds(25));
  }

  WebReader reader(Duration within) {
    return new WebReader(vertx, this::targets, rules(), within);
  }

  /** Rules by exact host. */
  public WebRules rules() {
    return new WebRules() {
      @Override
      public Optional<String> denying(String owner, URI address) {
        return Optional.ofNullable(denied.get(address.getHost()));
      }

      @Override
      public Optional<String> restricting(String owner, URI address) {
        return denying(owner, address)
            .or(() -> Optional.ofNullable(askedAbout.get(address.getHost())));
      }
    };
  }

  // Nothing leaves this machine: whatever is public is the server.
  private List<InetSocketAddress> targets(URI url, boolean privateAllowed)
      throws TargetRefusedException, InterruptedException {
    var checked = policy.addresses(url, privateAllowed);
    dialled.addAll(checked);
    return checked.stream().allMatch(address -> address.getAddress().isLoopbackAddress())
        ? checked
        : List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()));
  }

  private InetAddress[] lookUp(String host) throws UnknownHostException {
    lookups.merge(host, 1, Integer::sum);
    var answers = names.get(host);
    if (answers == null) {
      if (host.matches("[0-9a-fA-F.:]+") || host.equals("localhost")) {
        return InetAddress.getAllByName(host);
      }
      throw new UnknownHostException(host);
    }
    var answer = answers.size() > 1 ? answers.removeFirst() : answers.getFirst();
    var all = new ArrayList<InetAddress>();
    for (var one : answer.split(" ", -1)) {
      all.add(InetAddress.getByName(one));
    }
    return all.toArray(InetAddress[]::new);
  }

  private void serve(HttpExchange exchange) throws IOException {
    asked.add(String.valueOf(exchange.getRequestHeaders().getFirst("Host")));
    try (exchange) {
      var handler = pages.get(exchange.getRequestURI().getPath());
      if (handler == null) {
        exchange.sendResponseHeaders(404, -1);
      } else {
        handler.answer(exchange);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    vertx.close();
  }
}
