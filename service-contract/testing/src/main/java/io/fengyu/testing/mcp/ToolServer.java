package io.fengyu.testing.mcp;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A tool server on a port of its own that speaks Streamable HTTP, answers as it was told to, breaks
 * off where it was told to, and remembers every request and every socket.
 */
public final class ToolServer implements AutoCloseable {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Answers a request; returning without an answer, or failing, closes the socket. */
  public interface Handler {
    /** Writes the answer. */
    void answer(Request request, Reply reply) throws Exception;
  }

  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger connections = new AtomicInteger();
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final Map<String, Handler> methods = new ConcurrentHashMap<>();
  private final Map<String, Handler> tools = new ConcurrentHashMap<>();
  private final Map<String, ObjectNode> declarations =
      java.util.Collections.synchronizedMap(new LinkedHashMap<>());

  private ToolServer(ServerSocket listener) {
    this.listener = listener;
    methods.put("initialize", (request, reply) -> initialize(reply));
    methods.put("tools/list", (request, reply) -> reply.result(list()));
    methods.put("tools/call", this::call);
    methods.put("DELETE", (request, reply) -> reply.respond(200, Map.of(), ""));
    methods.put("GET", (request, reply) -> reply.respond(405, Map.of(), ""));
  }

  /** On a port that the system chooses. */
  public static ToolServer start() {
    return start(0);
  }

  /** On this port of the loopback address. */
  public static ToolServer start(int port) {
    try {
      var listener = new ServerSocket();
      listener.setReuseAddress(true);
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 128);
      var server = new ToolServer(listener);
      Thread.ofVirtual().name("scripted-tools").start(server::accept);
      return server;
    } catch (IOException taken) {
      throw new UncheckedIOException(taken);
    }
  }

  /** Where messages go. */
  public URI address() {
    return URI.create("http://127.0.0.1:" + port() + "/mcp");
  }

  /** Where it listens. */
  public int port() {
    return listener.getLocalPort();
  }

  /** Offers a tool without arguments that answers like this. */
  public ToolServer tool(String name, Handler handler) {
    return tool(name, "Does " + name, handler);
  }

  /** The same with a description. */
  public ToolServer tool(String name, String description, Handler handler) {
    var declaration = JSON.objectNode().put("name", name).put("description", description);
    declaration.putObject("inputSchema").put("type", "object");
    return tool(declaration, handler);
  }

  /** Offers a tool that is declared like this. */
  public ToolServer tool(ObjectNode declaration, Handler handler) {
    var name = declaration.path("name").asText();
    declarations.put(name, declaration);
    tools.put(name, handler);
    return this;
  }

  /** Offers a tool no longer. */
  public void withdraw(String tool) {
    declarations.remove(tool);
  }

  /** Answers a method of the protocol, or of HTTP, like this from now on. */
  public ToolServer on(String method, Handler handler) {
    methods.put(method, handler);
    return this;
  }

  /** All requests, in the order they came. */
  public List<Request> requests() {
    return List.copyOf(requests);
  }

  /** Those of one method, in the order they came. */
  public List<Request> requests(String method) {
    return requests.stream().filter(request -> request.method().equals(method)).toList();
  }

  /** Sockets that are open right now. */
  public int sockets() {
    return open.size();
  }

  private static void initialize(Reply reply) throws IOException {
    var result = JSON.objectNode().put("protocolVersion", "2025-11-25");
    result.putObject("capabilities").putObject("tools");
    result.putObject("serverInfo").put("name", "scripted").put("version", "1");
    reply.respond(
        200,
        Map.of("content-type", "application/json", "mcp-session-id", UUID.randomUUID().toString()),
        reply.message(result).toString());
  }

  private ObjectNode list() {
    var result = JSON.objectNode();
    var all = result.putArray("tools");
    synchronized (declarations) {
      declarations.values().forEach(all::add);
    }
    return result;
  }

  private void call(Request request, Reply reply) throws Exception {
    var handler = tools.get(request.body().path("params").path("name").asText());
    if (handler == null) {
      reply.error("There is no such tool");
    } else {
      handler.answer(request, reply);
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        var socket = listener.accept();
        open.add(socket);
        int number = connections.incrementAndGet();
        Thread.ofVirtual().name("scripted-tools").start(() -> serve(socket, number));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket socket, int number) {
    try (socket) {
      var in = new BufferedInputStream(socket.getInputStream());
      for (var request = read(in, number); request != null; request = read(in, number)) {
        requests.add(request);
        answer(request, new Reply(request, socket.getOutputStream()));
      }
    } catch (Exception brokeOff) {
      // As a handler wanted it, or the client has gone.
    } finally {
      open.remove(socket);
    }
  }

  private void answer(Request request, Reply reply) throws Exception {
    var handler = methods.get(request.method());
    if (handler != null) {
      handler.answer(request, reply);
    } else if (request.body().has("method") && request.body().has("id")) {
      reply.respond(400, Map.of(), "");
    } else {
      reply.respond(202, Map.of(), "");
    }
  }

  private static @Nullable Request read(InputStream in, int number) throws IOException {
    var first = line(in);
    if (first == null || first.isEmpty()) {
      return null;
    }
    var headers = new LinkedHashMap<String, String>();
    for (var line = line(in); line != null && !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    var body = in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
    var words = first.split(" ", 3);
    var json = body.length == 0 ? MissingNode.getInstance() : MAPPER.readTree(body);
    return new Request(number, words[0], words[1], Map.copyOf(headers), json);
  }

  private static @Nullable String line(InputStream in) throws IOException {
    var bytes = new ByteArrayOutputStream();
    int next = in.read();
    if (next < 0) {
      return null;
    }
    for (; next >= 0 && next != '\n'; next = in.read()) {
      if (next != '\r') {
        bytes.write(next);
      }
    }
    return bytes.toString(StandardCharsets.ISO_8859_1);
  }

  /** Stops listening and breaks all connections off. */
  @Override
  public void close() {
    try {
      listener.close();
      for (var socket : open) {
        socket.close();
      }
    } catch (IOException alreadyGone) {
      throw new UncheckedIOException(alreadyGone);
    }
  }
}
