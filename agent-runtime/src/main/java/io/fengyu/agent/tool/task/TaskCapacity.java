package io.fengyu.agent.tool.task;

import io.fengyu.agent.tool.Declaration;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolSpec;
import jakarta.inject.Singleton;
import java.util.List;

/** Tells how full the queue is. */
@Singleton
class TaskCapacity implements Tool {

  private static final ToolSpec SPEC =
      Declaration.of(
              "task_capacity",
              "Tells how full the queue of background tasks is, for everybody and for the caller.")
          .effect(Effect.READ)
          .resources(List.of(), List.of())
          .label("Room for tasks")
          .spec();

  private final TaskService tasks;

  TaskCapacity(TaskService tasks) {
    this.tasks = tasks;
  }

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public String call(ToolCall call) {
    return tasks.capacity(call).toString();
  }
}
