package io.fengyu.testing.model;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A model provider on a port of its own. It speaks OpenAI's chat completions (and DeepSeek's
 * reasoning), Anthropic's messages and Ollama's chat, answers what it was told to, in the order it
 * was told, and remembers every request.
 */
public final class ModelServer implements AutoCloseable {

  private static final int KEPT_REQUESTS = 10_000;
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

  private record Rule(Predicate<RecordedRequest> applies, Answer answer) {}

  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final Object lock = new Object();
  private final Deque<Answer> queue = new ArrayDeque<>();
  private final List<Rule> rules = new ArrayList<>();
  private final List<RecordedRequest> requests = new ArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private List<String> models = List.of("scripted", "qwen3:4b", "gpt-4o");
  private @Nullable Answer otherwise;

  private ModelServer(ServerSocket listener) {
    this.listener = listener;
  }

  /** On a port that the system chooses. */
  public static ModelServer start() {
    return start(0);
  }

  /** On this port of the loopback address. */
  public static ModelServer start(int port) {
    try {
      var listener = new ServerSocket();
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 128);
      var server = new ModelServer(listener);
      Thread.ofVirtual().name("scripted-model").start(server::accept);
      return server;
    } catch (IOException taken) {
      throw new UncheckedIOException(taken);
    }
  }

  /** {@code http://127.0.0.1:port}, without a path. */
  public URI address() {
    return URI.create("http://127.0.0.1:" + port());
  }

  /** Where it listens. */
  public int port() {
    return listener.getLocalPort();
  }

  /** Answers the next requests for a model's words, one each, in this order. */
  public ModelServer next(Answer... answers) {
    synchronized (lock) {
      queue.addAll(List.of(answers));
    }
    return this;
  }

  /** Answers every request that the predicate likes, before the queue is looked at. */
  public ModelServer whenever(Predicate<RecordedRequest> applies, Answer answer) {
    synchronized (lock) {
      rules.add(new Rule(applies, answer));
    }
    return this;
  }

  /** Answers when the queue is empty; without it such a request gets 500. */
  public ModelServer otherwise(Answer answer) {
    synchronized (lock) {
      otherwise = answer;
    }
    return this;
  }

  /** What the listing endpoints name. */
  public ModelServer offering(String... names) {
    synchronized (lock) {
      models = List.of(names);
    }
    return this;
  }

  /** Forgets scripts and requests; open answers go on. */
  public void reset() {
    synchronized (lock) {
      queue.clear();
      rules.clear();
      requests.clear();
      otherwise = null;
      models = List.of("scripted", "qwen3:4b", "gpt-4o");
    }
  }

  /** All requests so far, listings included, oldest first. */
  public List<RecordedRequest> requests() {
    synchronized (lock) {
      return List.copyOf(requests);
    }
  }

  /** Waits for the n-th request, counted from 1, and fails when it does not come. */
  public RecordedRequest request(int number) {
    var deadline = Instant.now().plus(LONGEST_WAIT);
    try {
      return awaited(number, deadline);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError(interrupted);
    }
  }

  private RecordedRequest awaited(int number, Instant deadline) throws InterruptedException {
    synchronized (lock) {
      while (requests.size() < number) {
        var left = Duration.between(Instant.now(), deadline).toMillis();
        if (left <= 0) {
          throw new AssertionError("Request " + number + " did not come, only " + requests.size());
        }
        lock.wait(left);
      }
      return requests.get(number - 1);
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (var socket : open) {
        socket.close();
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } finally {
      closed.countDown();
    }
  }

  void awaitClose() throws InterruptedException {
    closed.await();
  }

  List<String> models() {
    synchronized (lock) {
      return models;
    }
  }

  Answer answer(RecordedRequest request) {
    synchronized (lock) {
      for (var rule : rules) {
        if (rule.applies.test(request)) {
          return rule.answer;
        }
      }
      var scripted = queue.poll();
      if (scripted != null) {
        return scripted;
      }
      return otherwise != null
          ? otherwise
          : Answer.failing(500, "script_error", "The script has no answer left");
    }
  }

  void record(RecordedRequest request) {
    synchronized (lock) {
      if (requests.size() >= KEPT_REQUESTS) {
        requests.removeFirst();
      }
      requests.add(request);
      lock.notifyAll();
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        var socket = listener.accept();
        open.add(socket);
        Thread.ofVirtual().name("scripted-model-client").start(() -> serve(socket));
      } catch (IOException stopped) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      new Connection(socket, this).serve();
    } catch (IOException gone) {
      // The client, or close(), ended it; the recorded request says so where it matters.
    } finally {
      open.remove(socket);
    }
  }
}
