package io.fengyu.agent.tool.task;

import io.fengyu.agent.tool.Declaration;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolArgs;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.ToolSpec;
import jakarta.inject.Singleton;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Ends a schedule. */
@Singleton
class TaskScheduleDelete implements Tool {

  private static final ToolSpec SPEC =
      Declaration.of(
              "task_schedule_delete",
              "Ends a schedule: it fires no more, and tasks that were submitted go on.")
          .effect(Effect.COMMAND)
          .idempotent()
          .label("End a schedule")
          .in(Field.required("scheduleId", "string", "Id of the schedule."))
          .spec();

  private final TaskService tasks;

  TaskScheduleDelete(TaskService tasks) {
    this.tasks = tasks;
  }

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public String call(ToolCall call) throws ToolException {
    var id = ToolArgs.of(call).text("scheduleId");
    return tasks.unschedule(call, URLEncoder.encode(id, StandardCharsets.UTF_8)).toString();
  }
}
