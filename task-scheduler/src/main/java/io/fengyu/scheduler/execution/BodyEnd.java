package io.fengyu.scheduler.execution;

import io.fengyu.scheduler.queue.TaskEnd;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a body came to.
 *
 * @param output the result, or what went wrong
 * @param errorCode null unless it failed
 */
public record BodyEnd(TaskEnd.Status status, @Nullable String output, @Nullable String errorCode) {

  static final String INTERRUPTED = "INTERRUPTED_BY_RESTART";
  static final String INTERRUPTED_WORDS =
      "The task was interrupted by a restart; it is not replayed.";

  /** It did what it should. */
  public static BodyEnd completed(String output) {
    return new BodyEnd(TaskEnd.Status.COMPLETED, output, null);
  }

  /** It did not. */
  public static BodyEnd failed(String code, String words) {
    return new BodyEnd(TaskEnd.Status.FAILED, words, code);
  }

  /** Somebody ended it. */
  public static BodyEnd cancelled() {
    return new BodyEnd(TaskEnd.Status.CANCELLED, null, null);
  }

  static BodyEnd interrupted() {
    return failed(INTERRUPTED, INTERRUPTED_WORDS);
  }

  TaskEnd of(UUID task) {
    return new TaskEnd(task, status, output, errorCode);
  }
}
