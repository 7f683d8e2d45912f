package io.fengyu.agent.tool.task;

import io.fengyu.agent.tool.Declaration;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolSpec;
import jakarta.inject.Singleton;
import java.util.List;

/** Lists an owner's tasks. */
@Singleton
class TaskList implements Tool {

  private static final ToolSpec SPEC =
      Declaration.of("task_list", "Lists the owner's background tasks, newest first.")
          .effect(Effect.READ)
          .resources(List.of(), List.of())
          .label("List tasks")
          .spec();

  private final TaskService tasks;

  TaskList(TaskService tasks) {
    this.tasks = tasks;
  }

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public String call(ToolCall call) {
    return tasks.list(call).toString();
  }
}
