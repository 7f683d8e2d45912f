package io.fengyu.agent.plugin.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.process.Child;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/**
 * A living process of a plugin. Calls travel side by side and find their answers by their ids. When
 * one of them shows that the process is broken, all of them end with it.
 */
final class Worker {

  private static final Logger LOG = Logger.getLogger(Worker.class);
  private static final int MOST_WAITING = 64;
  private static final int MOST_CALLS = 64;
  private static final int LONGEST_REQUEST = 8 << 20;
  private static final Duration LAST_WORDS = Duration.ofSeconds(2);
  private static final Duration END_PATIENCE = Duration.ofSeconds(6);
  private static final byte[] NOTHING = {};

  private final String plugin;
  private final Child child;
  private final Duration idle;
  private final Duration cancelGrace;
  private final Runnable answered;
  private final Runnable broke;
  private final Instant startedAt = Instant.now();
  private final Log log = new Log();
  private final BlockingQueue<Request> outgoing = new ArrayBlockingQueue<>(MOST_WAITING);
  private final Map<Long, Request> waiting = new ConcurrentHashMap<>();
  private final AtomicLong ids = new AtomicLong();
  private final AtomicBoolean ending = new AtomicBoolean();
  private final CompletableFuture<Void> logged = new CompletableFuture<>();
  private final CompletableFuture<Void> gone = new CompletableFuture<>();
  private volatile long lastUsed = System.nanoTime();
  private volatile String why = "it was ended";

  /**
   * @param answered told whenever the process proves that it works
   * @param broke told once when it ended in a way that nobody asked for
   */
  Worker(
      String plugin,
      Child child,
      Duration idle,
      Duration cancelGrace,
      Runnable answered,
      Runnable broke) {
    this.plugin = plugin;
    this.child = child;
    this.idle = idle;
    this.cancelGrace = cancelGrace;
    this.answered = answered;
    this.broke = broke;
    // They block in the kernel for as long as the process lives, so each has a thread of its own.
    thread("stdout", this::read);
    thread("stderr", this::drain);
    thread("stdin", this::write);
  }

  private void drain() {
    log.drain(child.stderr());
    logged.complete(null);
  }

  private void thread(String stream, Runnable work) {
    Thread.ofPlatform().daemon().name("plugin-" + plugin + "-" + stream).start(work);
  }

  /** A message on its way, and what comes back. */
  private static final class Request {

    final byte[] line;
    final CompletableFuture<ObjectNode> answer = new CompletableFuture<>();

    // Whoever is first: the writer, or the caller who gives up.
    private final AtomicBoolean settled = new AtomicBoolean();

    Request(byte[] line) {
      this.line = line;
    }

    /** True when the process is to get it. */
    boolean write() {
      return settled.compareAndSet(false, true);
    }

    /** True when the process will never see it. */
    boolean drop() {
      return settled.compareAndSet(false, true);
    }
  }

  long pid() {
    return child.pid();
  }

  Instant startedAt() {
    return startedAt;
  }

  int calls() {
    return waiting.size();
  }

  String log() {
    return log.tail();
  }

  /** True as long as it takes calls. */
  boolean usable() {
    return !ending.get();
  }

  /** True when nobody waits for it; {@link #lastUsed} says since when. */
  boolean unused() {
    return waiting.isEmpty();
  }

  long lastUsed() {
    return lastUsed;
  }

  /** Completes when nothing of the process and of what it started is left. */
  CompletableFuture<Void> gone() {
    return gone;
  }

  /**
   * Calls a method and waits for the answer.
   *
   * @param context who calls, told by us
   * @throws InterruptedException when the caller was stopped: the process was told, and has either
   *     said that it is done with the call, or was ended
   */
  JsonNode call(String method, ObjectNode params, ObjectNode context, Duration timeout)
      throws WorkerException, InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    long id = ids.incrementAndGet();
    var request = new Request(line(id, method, params, context));
    if (waiting.size() >= MOST_CALLS) {
      throw WorkerException.notDone("the plugin " + plugin + " has too many calls at once");
    }
    waiting.put(id, request);
    try {
      lastUsed = System.nanoTime();
      if (!usable()) {
        throw failed(request, "its process is gone: " + why);
      }
      return result(sent(request, deadline, timeout));
    } catch (InterruptedException stopped) {
      cancel(id, request);
      throw stopped;
    } finally {
      waiting.remove(id);
      lastUsed = System.nanoTime();
    }
  }

  private ObjectNode sent(Request request, long deadline, Duration timeout)
      throws WorkerException, InterruptedException {
    try {
      if (!outgoing.offer(request, deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        throw new TimeoutException("it does not read");
      }
      return request.answer.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      end("a call took longer than " + timeout.toSeconds() + " s");
      awaitGone();
      throw failed(request, "it did not answer within " + timeout.toSeconds() + " s");
    } catch (ExecutionException broken) {
      throw failed(request, "its process is gone: " + why);
    }
  }

  private WorkerException failed(Request request, String message) {
    var text = "the plugin " + plugin + " failed: " + message;
    return request.drop() ? WorkerException.notDone(text) : WorkerException.unknown(text);
  }

  private JsonNode result(ObjectNode answer) throws WorkerException {
    answered.run();
    var error = answer.get("error");
    if (error == null || error.isNull()) {
      var result = answer.get("result");
      return result == null ? NullNode.getInstance() : result;
    }
    var message = error.path("message").asText("");
    throw WorkerException.notDone(
        (message.isBlank() ? "the plugin " + plugin + " reports an error" : message)
            + (error.path("code").isIntegralNumber() ? " (" + error.get("code") + ")" : ""));
  }

  private static byte[] line(long id, String method, ObjectNode params, ObjectNode context)
      throws WorkerException {
    var message = JsonNodeFactory.instance.objectNode().put("jsonrpc", "2.0").put("id", id);
    message.put("method", method).set("params", params);
    message.set("context", context);
    var line = bytes(message);
    if (line.length > LONGEST_REQUEST) {
      throw WorkerException.notDone("the arguments are longer than " + LONGEST_REQUEST + " bytes");
    }
    return line;
  }

  private static byte[] bytes(ObjectNode message) {
    return (message + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /** Returns when the process is certainly not at the call any more. */
  private void cancel(long id, Request request) {
    if (request.drop()) {
      return;
    }
    var notice = JsonNodeFactory.instance.objectNode().put("jsonrpc", "2.0");
    notice.put("method", "$/cancelRequest").putObject("params").put("id", id);
    outgoing.offer(new Request(bytes(notice)));
    try {
      request.answer.get(cancelGrace.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | InterruptedException goesOn) {
      end("a call that was cancelled went on");
      awaitGone();
    } catch (ExecutionException ended) {
      awaitGone();
    }
  }

  private void awaitGone() {
    try {
      gone.get(END_PATIENCE.toMillis() + 1_000, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException lives) {
      LOG.errorf("The process %d of plugin %s cannot be ended yet", pid(), plugin);
    } catch (InterruptedException twice) {
      Thread.currentThread().interrupt();
    }
  }

  private void write() {
    try (var stdin = child.stdin()) {
      while (usable()) {
        var next = outgoing.poll(idle.toMillis(), TimeUnit.MILLISECONDS);
        if (next == null) {
          endWhenIdle();
          continue;
        }
        if (next.line.length > 0 && next.write()) {
          stdin.write(next.line);
          stdin.flush();
        }
      }
    } catch (IOException closed) {
      // The reader hears of its end.
      LOG.debugf("Plugin %s reads no more: %s", plugin, closed.getMessage());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void endWhenIdle() {
    if (waiting.isEmpty() && System.nanoTime() - lastUsed >= idle.toNanos()) {
      end("nobody called it for long");
    }
  }

  private void read() {
    var answers = new Answers(child.stdout());
    String reason;
    try {
      for (var message = answers.next(); message != null; message = answers.next()) {
        deliver(message);
      }
      reason = ended();
    } catch (Answers.BrokenException broken) {
      reason = String.valueOf(broken.getMessage());
    } catch (IOException unreadable) {
      reason = ended();
    }
    if (ending.get()) {
      return;
    }
    LOG.warnf("The process %d of plugin %s is ended: %s", pid(), plugin, reason);
    broke.run();
    end(reason);
  }

  private void deliver(ObjectNode message) {
    var id = message.path("id");
    var request = id.canConvertToLong() ? waiting.get(id.longValue()) : null;
    if (request != null && (message.has("result") || message.has("error"))) {
      request.answer.complete(message);
    } else {
      LOG.debugf("Plugin %s says something that nobody waits for", plugin);
    }
  }

  private String ended() {
    try {
      var code = child.endsWithin(LAST_WORDS) ? " with code " + child.exitCode() : "";
      var words = lastWords();
      return "it ended" + code + (words.isEmpty() ? "" : ": " + words);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return "it ended";
    }
  }

  // What it started may hold the stream open for longer.
  private String lastWords() throws InterruptedException {
    try {
      logged.get(LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException open) {
      LOG.debugf("Plugin %s has not ended its log", plugin);
    }
    return log.lastLine();
  }

  /** Ends the process and all calls; returns at once, {@link #gone} tells the end of it. */
  void end(String reason) {
    if (!ending.compareAndSet(false, true)) {
      return;
    }
    why = reason;
    outgoing.offer(new Request(NOTHING));
    var end = new IOException(reason);
    Thread.ofVirtual()
        .name("plugin-end")
        .start(
            () -> {
              while (!child.end(END_PATIENCE)) {
                LOG.errorf("Process %d of plugin %s still lives", pid(), plugin);
              }
              gone.complete(null);
            });
    waiting.values().forEach(request -> request.answer.completeExceptionally(end));
  }
}
