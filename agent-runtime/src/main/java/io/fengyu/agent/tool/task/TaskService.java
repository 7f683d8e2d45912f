package io.fengyu.agent.tool.task;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.contract.client.InternalCall;
import io.fengyu.contract.client.InternalClient;
import io.fengyu.contract.client.Service;
import io.vertx.core.http.HttpMethod;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** The service that has the tasks, asked on behalf of whoever the call is made for. */
@ApplicationScoped
class TaskService {

  private static final String TASKS = "/api/agent/tasks";
  private static final String SCHEDULES = "/api/agent/schedules";
  private static final List<String> SCHEDULE_FIELDS =
      List.of("workflowId", "intervalSeconds", "calendar", "recurring", "fireImmediately");
  private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(35);

  private final InternalClient client;
  private final ObjectMapper json;

  TaskService(InternalClient client, ObjectMapper json) {
    this.client = client;
    this.json = json;
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

  /** Makes a schedule with the rights of the call; a model cannot ask for more. */
  JsonNode schedule(ToolCall call) throws ToolException {
    var body = JsonNodeFactory.instance.objectNode();
    for (var field : SCHEDULE_FIELDS) {
      if (call.args().hasNonNull(field)) {
        body.set(field, call.args().get(field));
      }
    }
    body.set("inputs", inputs(call.args()));
    body.put("permissionMode", call.unconfined() ? "full-access" : "ask-for-approval");
    return answer(
        client.post(Service.SCHEDULER, SCHEDULES).operation(call.invocationId()).json(body), call);
  }

  // An object, or the text of one under either name.
  private JsonNode inputs(ObjectNode args) throws ToolException {
    var sent = args.hasNonNull("inputs") ? args.get("inputs") : args.path("inputsJson");
    if (sent.isMissingNode() || sent.isNull()) {
      return JsonNodeFactory.instance.objectNode();
    }
    try {
      return sent.isTextual() ? json.readTree(sent.textValue()) : sent;
    } catch (JsonProcessingException noJson) {
      throw new ToolException("inputs must be a JSON object");
    }
  }

  JsonNode schedules(ToolCall call) {
    return answer(client.get(Service.SCHEDULER, SCHEDULES), call);
  }

  JsonNode unschedule(ToolCall call, String id) {
    return answer(client.call(HttpMethod.DELETE, Service.SCHEDULER, SCHEDULES + "/" + id), call);
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
