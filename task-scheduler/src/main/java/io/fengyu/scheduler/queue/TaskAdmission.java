package io.fengyu.scheduler.queue;

import io.smallrye.mutiny.Uni;

/** Takes tasks in. */
public interface TaskAdmission {

  /**
   * Stores a task, queued or already given to this process. Emits when that is committed.
   *
   * <p>Fails with the problem {@code BACKGROUND_CAPACITY} (429) when there is no room: then nothing
   * is left behind, and the same id may be submitted again. Fails with 503 when the database is
   * away or this process takes nothing in; whether the task is stored is open then, and a
   * repetition with the same id finds out.
   */
  Uni<Admitted> submit(NewTask task);
}
