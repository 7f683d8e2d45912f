package io.fengyu.scheduler.queue;

import java.util.List;

/** Executes what was given to this process. */
public interface TaskStarter {

  /** Their rows are committed. Returns at once; called on an event loop. */
  void start(List<StartedTask> tasks);
}
