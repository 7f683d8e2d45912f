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
import io.fengyu.contract.problem.ProblemException;
import jakarta.inject.Singleton;

/** Has a published workflow run by itself later, or again and again. */
@Singleton
class TaskSchedule implements Tool {

  private static final ToolSpec SPEC =
      Declaration.of(
              "task_schedule",
              "Runs a published workflow by itself: at an interval, once after a delay, or by a"
                  + " calendar of days in a time zone.")
          .effect(Effect.EXTERNAL)
          .label("Schedule a workflow")
          .in(
              Field.required("workflowId", "string", "Id of a published workflow."),
              Field.optional("inputs", "any", "Its inputs: an object, or the JSON text of one."),
              Field.optional("inputsJson", "string", "The inputs as JSON text."),
              Field.optional("intervalSeconds", "integer", "Seconds between fires; 3600."),
              Field.optional(
                  "calendar",
                  "object",
                  "{frequency: DAILY|WEEKLY|MONTHLY, time: HH:mm, zoneId, weekdays: [1-7], monthDay:"
                      + " 1-31 or -1} instead of an interval."),
              Field.optional("recurring", "boolean", "False for one fire only; true."),
              Field.optional("fireImmediately", "boolean", "True to fire at once too; false."))
          .spec();

  private final TaskService tasks;

  TaskSchedule(TaskService tasks) {
    this.tasks = tasks;
  }

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public String call(ToolCall call) throws ToolException {
    ToolArgs.of(call).text("workflowId");
    try {
      return tasks.schedule(call).toString();
    } catch (ProblemException refused) {
      var problem = refused.problem();
      var answer =
          JsonNodeFactory.instance
              .objectNode()
              .put("success", false)
              .put("error", problem.code() + " " + problem.params())
              .put("code", problem.code());
      problem.params().forEach(answer.putObject("params")::putPOJO);
      return answer.toString();
    }
  }
}
