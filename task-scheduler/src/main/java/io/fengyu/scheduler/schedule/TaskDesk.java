package io.fengyu.scheduler.schedule;

import io.smallrye.mutiny.Uni;
import java.util.UUID;

/** Where fires become background tasks. */
interface TaskDesk {

  /** True while tasks are taken in; before and after that nothing should be claimed. */
  boolean open();

  /** Stores the task of an occurrence; the same task when it was stored before. */
  Uni<Void> submit(Occurrence occurrence);

  /** True when the task was stored. */
  Uni<Boolean> knows(UUID taskId);
}
