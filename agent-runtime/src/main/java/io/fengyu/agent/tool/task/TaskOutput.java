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
import java.util.List;

/** Looks at one task, and waits for its end if asked to. */
@Singleton
class TaskOutput implements Tool {

  private static final int LONGEST_MS = 60_000;

  private static final ToolSpec SPEC =
      Declaration.of(
              "task_output",
              "Returns a background task with its output, at once or when it has ended within the"
                  + " given time.")
          .effect(Effect.READ)
          .resources(List.of(), List.of())
          .label("Output of a task")
          .in(
              Field.required("taskId", "string", "Id of the task."),
              Field.optional("timeoutMs", "integer", "How long to wait, in milliseconds.")
                  .between(0, LONGEST_MS)
                  .byDefault(JsonNodeFactory.instance.numberNode(0)))
          .spec();

  private final TaskService tasks;

  TaskOutput(TaskService tasks) {
    this.tasks = tasks;
  }

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public String call(ToolCall call) throws ToolException, InterruptedException {
    var args = ToolArgs.of(call);
    var ids = JsonNodeFactory.instance.arrayNode().add(args.text("taskId"));
    long ms = Math.min(args.integer("timeoutMs", 0, 0, Integer.MAX_VALUE), LONGEST_MS);
    return TaskWait.await(tasks, call, ids, "all", ms).path(0).toString();
  }
}
