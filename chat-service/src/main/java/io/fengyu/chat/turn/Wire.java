package io.fengyu.chat.turn;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Small things that are done everywhere in a turn. */
final class Wire {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private Wire() {}

  static String time(Instant at) {
    return TIME.format(at);
  }

  /** Waits, and fails as it failed. */
  static void await(CompletableFuture<?> done) throws InterruptedException {
    try {
      done.get();
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof RuntimeException known
          ? known
          : new IllegalStateException(failed.getCause());
    }
  }
}
