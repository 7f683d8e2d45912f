package io.fengyu.agent.tool.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.contract.client.InternalCall;
import io.fengyu.contract.client.InternalClient;
import io.fengyu.contract.client.Service;
import io.vertx.core.http.HttpMethod;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;

/** The service that has the tasks, asked on behalf of whoever the call is made for. */
@ApplicationScoped
class TaskService {

  private static final String TASKS = "/api/agent/tasks";
  private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(35);

  private final InternalClient client;

  TaskService(InternalClient client) {
    this.client = client;
  }

  /** Submits a workflow; a repeated attempt of the same call is the same task. */
  JsonNode submit(ToolCall call) {
    var body = JsonNodeFactory.instance.objectNode();
    var task = ("task\n" + call.owner() + "\n" + call.invocationId());
    body.put("taskId", UUID.nameUUIDFromBytes(task.getBytes(StandardCharsets.UTF_8)).toString());
    body.put("origin", "tool");
    body.set("workflowId", call.args().path("workflowId"));
    body.set("inputs", call.args().path("inputs"));
    body.put("permissionMode", call.unconfined() ? "full-access" : "ask-for-approval");
    return answer(
        client.post(Service.SCHEDULER, "/internal/tasks").operation(call.invocationId()).json(body),
        call);
  }

  JsonNode list(ToolCall call) {
    return answer(client.get(Service.SCHEDULER, TASKS), call);
  }

  JsonNode capacity(ToolCall call) {
    return answer(client.get(Service.SCHEDULER, TASKS + "/capacity"), call);
  }

  JsonNode kill(ToolCall call, UUID task) {
    return answer(client.call(HttpMethod.DELETE, Service.SCHEDULER, TASKS + "/" + task), call);
  }

  /** The tasks in the order of {@code ids}, when they have ended or the time is up. */
  JsonNode await(ToolCall call, JsonNode ids, String mode, long ms) {
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("mode", mode).put("timeoutMs", ms);
    body.set("taskIds", ids);
    return answer(
        client
            .post(Service.SCHEDULER, TASKS + "/wait")
            .operation("wait " + UUID.randomUUID())
            .json(body),
        call);
  }

  private static JsonNode answer(InternalCall asked, ToolCall call) {
    return asked.as(call.owner()).patient().send().await().atMost(ANSWERED_WITHIN).body();
  }
}
