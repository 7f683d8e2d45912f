package io.fengyu.agent.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fengyu.contract.model.ModelEvent;
import io.fengyu.contract.model.StopReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;

/** Answers as chat-service's model gateway does, one prepared answer after the other. */
final class ChatStandIn implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String READY = "/internal/model/ready";

  private final HttpServer server;
  private final Queue<Reply> replies = new ConcurrentLinkedQueue<>();
  final List<Asked> asked = java.util.Collections.synchronizedList(new ArrayList<>());

  /** Completes when a client of a hanging answer has gone. */
  final CompletableFuture<Long> gone = new CompletableFuture<>();

  private volatile String refusal = "";

  /** What a request held. */
  record Asked(Headers headers, JsonNode body) {

    String system() {
      return body.path("system").asText();
    }

    /** What a call came to, as the model was told. */
    JsonNode result(String callId) {
      for (var message : body.path("messages")) {
        if (callId.equals(message.path("toolCallId").asText())) {
          return message;
        }
      }
      throw new AssertionError("no result of " + callId);
    }

    String user() {
      return body.path("messages").get(0).path("content").asText();
    }
  }

  private enum After {
    END,
    CUT,
    HANG
  }

  private record Reply(List<ModelEvent> events, After after) {}

  ChatStandIn() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/internal/model/", this::handle);
    server.start();
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** From now on there is no model, for this reason. */
  void refuse(String code) {
    refusal = code;
  }

  void says(String... fragments) {
    replies.add(
        new Reply(answer(List.of(fragments), new ModelEvent.Done(StopReason.END)), After.END));
  }

  /** One answer, event by event. */
  void answers(ModelEvent... events) {
    var all =
        new ArrayList<ModelEvent>(List.of(new ModelEvent.Start("openai", "scripted", "pinned")));
    all.addAll(List.of(events));
    replies.add(new Reply(all, After.END));
  }

  /** An answer that calls tools: id, name and arguments of each. */
  void calls(String... calls) {
    var all = new ArrayList<ModelEvent>();
    for (int i = 0; i < calls.length / 3; i++) {
      var arguments = calls[3 * i + 2].replace('\'', '"');
      all.add(new ModelEvent.ToolCallStart(i, calls[3 * i], calls[3 * i + 1]));
      all.add(new ModelEvent.ToolCallFragment(i, arguments));
      all.add(new ModelEvent.ToolCallEnd(i, calls[3 * i], calls[3 * i + 1], arguments));
    }
    all.add(new ModelEvent.Usage(7, 3));
    all.add(new ModelEvent.Done(StopReason.TOOL_CALLS));
    answers(all.toArray(ModelEvent[]::new));
  }

  void stops(StopReason reason, String... fragments) {
    replies.add(new Reply(answer(List.of(fragments), new ModelEvent.Done(reason)), After.END));
  }

  void failsAfter(String code, String fragment) {
    var failure = new ModelEvent.Failed(code, "PROVIDER", "the provider said no", null);
    replies.add(new Reply(answer(List.of(fragment), failure), After.END));
  }

  void cutsAfter(String fragment) {
    replies.add(new Reply(answer(List.of(fragment), null), After.CUT));
  }

  void hangsAfter(String fragment) {
    replies.add(new Reply(answer(List.of(fragment), null), After.HANG));
  }

  private static List<ModelEvent> answer(
      List<String> fragments, @org.jspecify.annotations.Nullable ModelEvent last) {
    var events = new ArrayList<ModelEvent>();
    events.add(new ModelEvent.Start("openai", "scripted", "pinned"));
    events.add(new ModelEvent.Thinking("hm"));
    events.add(new ModelEvent.Heartbeat());
    fragments.forEach(text -> events.add(new ModelEvent.Text(text)));
    if (last != null) {
      events.add(last);
    }
    return events;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!refusal.isEmpty()) {
        problem(exchange);
      } else if (exchange.getRequestURI().getPath().equals(READY)) {
        exchange.sendResponseHeaders(204, -1);
      } else {
        asked.add(
            new Asked(exchange.getRequestHeaders(), JSON.readTree(exchange.getRequestBody())));
        stream(exchange, replies.remove());
      }
    }
  }

  private void problem(HttpExchange exchange) throws IOException {
    var body = "{\"success\":false,\"error\":\"no\",\"code\":\"" + refusal + "\"}";
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(422, body.length());
    exchange.getResponseBody().write(body.getBytes(StandardCharsets.UTF_8));
  }

  private void stream(HttpExchange exchange, Reply reply) throws IOException {
    exchange.getResponseHeaders().add("Content-Type", "application/x-ndjson");
    exchange.sendResponseHeaders(200, 0);
    var out = exchange.getResponseBody();
    for (var event : reply.events()) {
      out.write((line(event) + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
    }
    switch (reply.after()) {
      case END -> out.close();
      case CUT -> throw new IOException("cut");
      case HANG -> beat(exchange);
    }
  }

  private void beat(HttpExchange exchange) {
    try {
      while (true) {
        java.util.concurrent.locks.LockSupport.parkNanos(50_000_000);
        exchange
            .getResponseBody()
            .write((line(new ModelEvent.Heartbeat()) + "\n").getBytes(StandardCharsets.UTF_8));
        exchange.getResponseBody().flush();
      }
    } catch (IOException closed) {
      gone.complete(System.nanoTime());
    }
  }

  private static String line(ModelEvent event) throws JsonProcessingException {
    return JSON.writerFor(ModelEvent.class).writeValueAsString(event);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
