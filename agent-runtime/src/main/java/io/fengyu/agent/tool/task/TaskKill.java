package io.fengyu.agent.tool.task;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fengyu.agent.tool.Declaration;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolArgs;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.ToolSpec;
import jakarta.inject.Singleton;
import java.util.UUID;

/** Ends a task. */
@Singleton
class TaskKill implements Tool {

  private static final ToolSpec SPEC =
      Declaration.of(
              "task_kill", "Ends a background task: before it starts, or by stopping what it runs.")
          .effect(Effect.COMMAND)
          .idempotent()
          .label("End a task")
          .in(Field.required("taskId", "string", "Id of the task."))
          .spec();

  private final TaskService tasks;

  TaskKill(TaskService tasks) {
    this.tasks = tasks;
  }

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public String call(ToolCall call) throws ToolException {
    var id = ToolArgs.of(call).text("taskId");
    try {
      return tasks.kill(call, UUID.fromString(id)).toString();
    } catch (IllegalArgumentException none) {
      return JsonNodeFactory.instance.objectNode().put("ok", false).put("taskId", id).toString();
    }
  }
}
