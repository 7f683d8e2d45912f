package io.fengyu.agent.tool.task;

import io.fengyu.agent.tool.Declaration;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolSpec;
import jakarta.inject.Singleton;
import java.util.List;

/** Shows the schedules that are active. */
@Singleton
class TaskScheduleList implements Tool {

  private static final ToolSpec SPEC =
      Declaration.of("task_schedule_list", "Lists the owner's active schedules, the oldest first.")
          .effect(Effect.READ)
          .resources(List.of(), List.of())
          .label("List schedules")
          .spec();

  private final TaskService tasks;

  TaskScheduleList(TaskService tasks) {
    this.tasks = tasks;
  }

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public String call(ToolCall call) {
    return tasks.schedules(call).toString();
  }
}
