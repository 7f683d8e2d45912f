package io.fengyu.agent.mcp.wire;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The moment when waiting ends.
 *
 * @param nanos on the clock of {@link System#nanoTime()}
 */
record Deadline(long nanos) {

  static Deadline in(Duration time) {
    return new Deadline(System.nanoTime() + time.toNanos());
  }

  long leftNanos() {
    return Math.max(0, nanos - System.nanoTime());
  }

  /** The earlier one of this moment and that time from now. */
  Deadline atMost(Duration time) {
    var other = in(time);
    return other.nanos - nanos < 0 ? other : this;
  }

  /** Waits for a value; the moment and a failure of its maker come out as one kind of exception. */
  <T> T await(CompletableFuture<T> value) throws McpException, InterruptedException {
    try {
      return value.get(leftNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      throw McpException.late();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof McpException known) {
        throw known;
      }
      throw new IllegalStateException(failed.getCause());
    }
  }

  /** Waits that long, or fails when the moment comes first. */
  void sleep(Duration time) throws McpException, InterruptedException {
    if (time.toNanos() > leftNanos()) {
      throw McpException.late();
    }
    Thread.sleep(time);
  }
}
