package io.fengyu.agent.tool.browser;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.ToolException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Speaks the DevTools protocol: a request and its answer, and events of sessions. */
final class Cdp {

  private static final Logger LOG = Logger.getLogger(Cdp.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Wire wire;
  private final Runnable whenGone;
  private final AtomicLong ids = new AtomicLong();
  private final AtomicBoolean gone = new AtomicBoolean();
  private final Map<Long, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
  private final Map<String, Listener> listeners = new ConcurrentHashMap<>();

  /** Hears the events of one session. Must not block. */
  interface Listener {
    void on(String method, JsonNode params);
  }

  Cdp(Wire wire, Runnable whenGone) {
    this.wire = wire;
    this.whenGone = whenGone;
    wire.listen(this::received, this::gone);
  }

  /** Names of members and their values, alternating. */
  static ObjectNode params(Object... pairs) {
    var params = JsonNodeFactory.instance.objectNode();
    for (int i = 0; i < pairs.length; i += 2) {
      params.set(String.valueOf(pairs[i]), JSON.valueToTree(pairs[i + 1]));
    }
    return params;
  }

  boolean isGone() {
    return gone.get();
  }

  /** Hears a session; the empty name is the browser itself. */
  void listen(String session, Listener listener) {
    listeners.put(session, listener);
  }

  void unlisten(String session) {
    listeners.remove(session);
  }

  /** The answer to a request. Blocks. */
  JsonNode call(String session, String method, ObjectNode params, Duration within)
      throws BrowserGoneException, ToolException, InterruptedException {
    long id = ids.incrementAndGet();
    var answer = new CompletableFuture<JsonNode>();
    waiting.put(id, answer);
    try {
      send(id, session, method, params);
      if (gone.get()) {
        throw new BrowserGoneException("the browser is gone");
      }
      return result(method, answer.get(within.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException late) {
      throw new ToolException("the page did not answer within " + within.toSeconds() + " s");
    } catch (ExecutionException broken) {
      throw new BrowserGoneException("the browser is gone");
    } finally {
      waiting.remove(id);
    }
  }

  /** Sends a request whose answer nobody waits for. */
  void tell(String session, String method, ObjectNode params) {
    send(ids.incrementAndGet(), session, method, params);
  }

  private void send(long id, String session, String method, ObjectNode params) {
    var message = JsonNodeFactory.instance.objectNode().put("id", id).put("method", method);
    message.set("params", params);
    if (!session.isEmpty()) {
      message.put("sessionId", session);
    }
    wire.send(message.toString());
  }

  private static JsonNode result(String method, JsonNode answer) throws ToolException {
    var error = answer.path("error");
    if (error.isMissingNode()) {
      return answer.path("result");
    }
    throw new ToolException(
        "the browser refused " + method + ": " + error.path("message").asText());
  }

  private void received(String text) {
    try {
      var message = JSON.readTree(text);
      if (message.has("id")) {
        var asked = waiting.get(message.path("id").asLong());
        if (asked != null) {
          asked.complete(message);
        }
      } else {
        event(message);
      }
    } catch (JsonProcessingException noJson) {
      LOG.debug("The browser said something that is no JSON");
    }
  }

  private void event(JsonNode message) {
    @Nullable Listener listener = listeners.get(message.path("sessionId").asText(""));
    if (listener != null) {
      listener.on(message.path("method").asText(), message.path("params"));
    }
  }

  private void gone() {
    if (gone.compareAndSet(false, true)) {
      waiting
          .values()
          .forEach(asked -> asked.completeExceptionally(new BrowserGoneException("gone")));
      whenGone.run();
    }
  }

  /** Ends the connection. Blocks. */
  void close() {
    wire.close();
    gone();
  }
}
