package io.fengyu.scheduler.execution;

import io.smallrye.mutiny.Uni;

/** What tasks of some kinds do while they run. */
public interface TaskBody {

  /** True for the kinds this is the body of. */
  boolean runs(String kind);

  /**
   * Does the work. A failure is the failure of the task. Whoever asks for its end is told through
   * {@link RunningTask#onCancel}; the body then comes to its end by itself.
   */
  Uni<BodyEnd> run(RunningTask task);
}
