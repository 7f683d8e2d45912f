package io.fengyu.bench;

import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** What a benchmark works with; everything it starts is stopped when the lab closes. */
final class Lab implements Closeable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final PrintStream out = System.out;
  private final Deque<Closeable> started = new ArrayDeque<>();
  private @Nullable ThrowawayPostgres postgres;
  private @Nullable Stack stack;

  /** A Postgres of this run alone, started on first use, durable like a production one. */
  ThrowawayPostgres postgres() throws Exception {
    if (postgres == null) {
      postgres = opened(ThrowawayPostgres.start());
    }
    return postgres;
  }

  /** The whole packaged system on a fresh data directory, started on first use. */
  Stack stack() throws Exception {
    if (stack == null) {
      stack = opened(Stack.up());
    }
    return stack;
  }

  /** Closes it, last opened first, when the lab closes. */
  <T extends Closeable> T opened(T resource) {
    started.push(resource);
    return resource;
  }

  /** Waits, not for ever, until other programs leave the machine alone, and says what it saw. */
  void quiet() throws InterruptedException {
    out.println(QuietMachine.await(PATIENCE));
  }

  void say(String line) {
    out.println(line);
  }

  /** Starts a table; {@link Table#print} shows it. */
  Table table(String... columns) {
    return new Table(out, columns);
  }

  @Override
  public void close() throws IOException {
    while (!started.isEmpty()) {
      started.pop().close();
    }
  }
}
