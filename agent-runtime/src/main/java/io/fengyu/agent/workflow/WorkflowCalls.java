package io.fengyu.agent.workflow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.run.InnerRuns;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.contract.client.InternalClient;
import io.fengyu.contract.client.Service;
import io.fengyu.contract.problem.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;

/** Runs workflows inside of tool calls, under the permission that the call was given. */
@ApplicationScoped
class WorkflowCalls {

  private static final Duration BOUND_WITHIN = Duration.ofSeconds(30);

  private final InternalClient client;
  private final InnerRuns runs;

  WorkflowCalls(InternalClient client, InnerRuns runs) {
    this.client = client;
    this.runs = runs;
  }

  /** Runs the active snapshot and waits for its result. */
  String published(String workflowId, ToolCall call) throws InterruptedException {
    return run(workflowId, call, false);
  }

  /** Runs what is stored, published or not, and waits for its result. */
  String draft(String workflowId, ToolCall call) throws InterruptedException {
    return run(workflowId, call, true);
  }

  private String run(String workflowId, ToolCall call, boolean draft) throws InterruptedException {
    JsonNode bound;
    try {
      bound = bound(workflowId, call, draft);
    } catch (ProblemException refused) {
      return refused(refused);
    }
    var start = JsonNodeFactory.instance.objectNode();
    for (var member : new String[] {"workflow", "inputs", "files"}) {
      start.set(member, bound.get(member));
    }
    try {
      return runs.result(call, start);
    } catch (ProblemException refused) {
      return refused(refused);
    }
  }

  private JsonNode bound(String workflowId, ToolCall call, boolean draft) {
    var body = JsonNodeFactory.instance.objectNode();
    body.set("inputs", call.args());
    return client
        .post(Service.WORKFLOW, "/internal/workflows/" + workflowId + "/bound")
        .query("draft", Boolean.toString(draft))
        .as(call.owner())
        .patient()
        .json(body)
        .send()
        .await()
        .atMost(BOUND_WITHIN)
        .body();
  }

  private static String refused(ProblemException refusal) {
    var problem = refusal.problem();
    ObjectNode answer = JsonNodeFactory.instance.objectNode().put("success", false);
    var params = answer.objectNode();
    problem.params().forEach((name, value) -> params.putPOJO(name, value));
    answer.put("error", problem.code() + " " + problem.params());
    answer.put("code", problem.code());
    answer.set("params", params);
    return answer.toString();
  }
}
