package io.fengyu.agent.tool;

import org.jspecify.annotations.Nullable;

/** Something a run, a chat turn or a task can call. */
public interface Tool {

  /** Its declaration; constant for the life of this object. */
  ToolSpec spec();

  /** What people read about it in other languages, when it brings that itself. */
  default @Nullable ToolWords words() {
    return null;
  }

  /**
   * Does the work, on a virtual thread of its own: blocking is fine, holding a monitor while
   * blocking is not.
   *
   * @return the result text, whole; JSON with {@code success:false} is a failure that the tool
   *     reports itself
   * @throws InterruptedException when the call was cancelled
   * @throws Exception a failure; its message becomes the failure text and must hold no secret
   */
  String call(ToolCall call) throws Exception;
}
