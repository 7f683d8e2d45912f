package io.fengyu.agent.mcp.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.process.Child;
import io.fengyu.agent.process.Children;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** A program that is started for the connection and ended with it; one message a line. */
final class StdioTransport implements Transport, Bytes {

  private static final Logger LOG = Logger.getLogger(StdioTransport.class);
  private static final Duration REPLY_WITHIN = Duration.ofSeconds(5);
  private static final Duration OWN_END = Duration.ofMillis(500);
  private static final Duration FORCED_END = Duration.ofSeconds(10);
  private static final int PIECE = 16 * 1024;
  private static final int MOST_NOISE = 100;
  private static final byte[] END = {};

  private final Children children;
  private final Program program;
  private final Memory.Share memory;
  private final Inbox inbox = new Inbox(this::reply);
  private final Lines lines;
  private final Complaints complaints = new Complaints();
  private final BlockingQueue<byte[]> pieces = new ArrayBlockingQueue<>(4);
  private @Nullable CompletableFuture<Child> started;
  private @Nullable Child child;
  private @Nullable Thread reader;
  private @Nullable String version;
  private int noise;

  StdioTransport(Children children, Program program, Memory.Share memory) {
    this.children = children;
    this.program = program;
    this.memory = memory;
    this.lines = Lines.ofMessages(this, memory);
  }

  /** On a thread of its own, so that a program whose start is not waited for is ended as well. */
  @Override
  public void connect(Deadline deadline) throws McpException, InterruptedException {
    var starting = new CompletableFuture<Child>();
    started = starting;
    Thread.ofVirtual().name("mcp-start").start(() -> start(starting));
    var running = deadline.await(starting);
    child = running;
    complaints.of(running.stderr());
    reader = Thread.ofVirtual().name("mcp-stdout").start(() -> read(running.stdout()));
  }

  private void start(CompletableFuture<Child> starting) {
    try {
      starting.complete(
          children.start(
              new Children.Start(
                  program.work(),
                  program.command(),
                  program.directory(),
                  program.environment(),
                  true,
                  false)));
    } catch (IOException | InterruptedException | RuntimeException failed) {
      starting.completeExceptionally(
          McpException.unreachable("The program of the server cannot be started"));
    }
  }

  private void read(InputStream stdout) {
    try (stdout) {
      var piece = new byte[PIECE];
      for (int read = stdout.read(piece); read >= 0; read = stdout.read(piece)) {
        if (read > 0) {
          pieces.put(Arrays.copyOf(piece, read));
        }
      }
      pieces.put(END);
    } catch (IOException | InterruptedException ended) {
      pieces.clear();
      pieces.offer(END);
    }
  }

  @Override
  public byte @Nullable [] next(Deadline deadline) throws McpException, InterruptedException {
    var piece = pieces.poll(deadline.leftNanos(), TimeUnit.NANOSECONDS);
    if (piece == null) {
      throw McpException.late();
    }
    if (piece.length > 0) {
      return piece;
    }
    pieces.offer(piece);
    return null;
  }

  @Override
  public ObjectNode ask(long id, ObjectNode request, Deadline deadline)
      throws McpException, InterruptedException {
    tell(request, deadline);
    var answer = inbox.answerTo(id, () -> message(deadline));
    if (answer == null) {
      throw ended();
    }
    return answer;
  }

  // Some programs greet on the wrong channel; that much is forgiven.
  private @Nullable JsonNode message(Deadline deadline) throws McpException, InterruptedException {
    while (true) {
      memory.free();
      var line = lines.next(deadline);
      if (line == null) {
        return null;
      }
      var message = Messages.read(line);
      if (message != null && message.isContainerNode()) {
        return message;
      }
      if (++noise > MOST_NOISE) {
        throw McpException.lost("The program of the server writes something else than messages");
      }
    }
  }

  private McpException ended() throws InterruptedException {
    var running = Objects.requireNonNull(child);
    var code = running.endsWithin(OWN_END) ? " with code " + running.exitCode() : "";
    var words = program.masked().apply(complaints.lastLine());
    return McpException.lost(
        "The program of the server ended" + code + (words.isEmpty() ? "" : ": " + words));
  }

  @Override
  public void tell(ObjectNode message, Deadline deadline)
      throws McpException, InterruptedException {
    var written = new CompletableFuture<Boolean>();
    // A program that does not read makes this wait until it is ended.
    Thread.ofVirtual().name("mcp-stdin").start(() -> written.complete(write(message)));
    if (!deadline.await(written)) {
      throw ended();
    }
  }

  private boolean write(ObjectNode message) {
    var running = child;
    if (running == null) {
      return false;
    }
    try {
      running.stdin().write((message + "\n").getBytes(StandardCharsets.UTF_8));
      running.stdin().flush();
      return true;
    } catch (IOException gone) {
      return false;
    }
  }

  private void reply(ObjectNode message) throws McpException, InterruptedException {
    tell(message, Deadline.in(REPLY_WITHIN));
  }

  @Override
  public void agreed(String agreedVersion) {
    version = agreedVersion;
  }

  @Override
  public boolean toolsChanged() {
    return inbox.toolsChanged();
  }

  @Override
  public void close(@Nullable ObjectNode lastWord, Runnable gone) {
    memory.free();
    var starting = started;
    if (starting == null) {
      gone.run();
      return;
    }
    Thread.ofVirtual().name("mcp-end").start(() -> end(starting, lastWord, gone));
  }

  private void end(
      CompletableFuture<Child> starting, @Nullable ObjectNode lastWord, Runnable gone) {
    try {
      end(starting.join(), lastWord);
    } catch (RuntimeException neverStarted) {
      LOG.debugf("Nothing is left of %s", program);
    } finally {
      gone.run();
    }
  }

  private void end(Child running, @Nullable ObjectNode lastWord) {
    if (lastWord != null && version != null) {
      Thread.ofVirtual().name("mcp-stdin").start(() -> write(lastWord));
    }
    try {
      if (lastWord == null) {
        running.stdin().close();
      }
      running.endsWithin(OWN_END);
    } catch (IOException | InterruptedException gone) {
      LOG.debugf("%s had closed its input before", program);
    }
    if (!running.end(FORCED_END)) {
      LOG.warnf("Something of %s does not end", program);
    }
    if (reader != null) {
      reader.interrupt();
    }
    LOG.debugf("%s said: %s", program, program.masked().apply(complaints.tail()));
  }
}
