package io.fengyu.agent.tool.task;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Declaration;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolArgs;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.ToolSpec;
import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemException;
import jakarta.inject.Singleton;

/** Submits a published workflow as a background task, under the permission of the call. */
@Singleton
class TaskSubmitWorkflow implements Tool {

  private static final ToolSpec SPEC =
      Declaration.of(
              "task_submit_workflow",
              "Starts a published workflow in the background and returns its task at once: look at it"
                  + " with task_output, wait with task_wait, end it with task_kill.")
          .effect(Effect.EXTERNAL)
          .label("Run in the background")
          .in(
              Field.required("workflowId", "string", "Id of a published workflow."),
              Field.optional("inputs", "any", "Its inputs: an object, or the JSON text of one."))
          .spec();

  private final TaskService tasks;

  TaskSubmitWorkflow(TaskService tasks) {
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
      return tasks.submit(call).toString();
    } catch (ProblemException refused) {
      return refused(refused.problem()).toString();
    }
  }

  private static ObjectNode refused(Problem problem) {
    var answer = JsonNodeFactory.instance.objectNode().putNull("taskId").put("success", false);
    answer.put("error", problem.code() + " " + problem.params());
    answer.put("code", problem.code());
    var params = answer.putObject("params");
    problem.params().forEach(params::putPOJO);
    var wait = problem.retryAfter();
    if (wait != null) {
      answer.put("retryable", true).put("retryAfterSeconds", Math.max(1, wait.toSeconds()));
    }
    for (var name : new String[] {"capacityScope", "capacityPriority"}) {
      var value = problem.members().get(name);
      if (value != null) {
        answer.putPOJO(name, value);
      }
    }
    return answer;
  }
}
