package io.fengyu.agent.toolbatch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.guard.PermissionMode;
import io.fengyu.agent.run.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tool calls of one turn, as they came.
 *
 * @param workflowId the workflow that the turn is about; null for none
 * @param flowContext its canvas as it is open; null when only the stored workflow is meant
 */
record BatchRequest(
    PermissionMode mode,
    @Nullable String sessionId,
    List<BatchCall> calls,
    @Nullable String workflowId,
    @Nullable JsonNode flowContext) {

  static final int MOST_CALLS = 150;
  private static final int LONGEST_ID = 200;

  /**
   * Reads a body.
   *
   * @param internal true when another service asks, who may know that a person agreed
   * @throws io.fengyu.contract.problem.ProblemException 400 for what can't be read, 403 when
   *     somebody else claims an agreement
   */
  static BatchRequest read(@Nullable JsonNode json, boolean internal) {
    if (!(json instanceof ObjectNode body)) {
      throw BatchProblems.body("", "an object");
    }
    var calls = calls(body.path("calls"));
    if (!internal && calls.stream().anyMatch(BatchCall::approved)) {
      throw BatchProblems.approvedByOutsider();
    }
    var context = body.path("flowContext");
    return new BatchRequest(
        mode(body.path("permissionMode")),
        session(body),
        calls,
        workflow(body, context),
        Json.absent(context) ? null : context);
  }

  private static @Nullable String workflow(ObjectNode body, JsonNode context) {
    var id = body.path("workflowId");
    if (!Json.absent(id)) {
      return text(id, "workflowId");
    }
    if (Json.absent(context)) {
      return null;
    }
    return text(context.path("workflowId"), "flowContext.workflowId");
  }

  private static PermissionMode mode(JsonNode value) {
    if (Json.absent(value)) {
      return PermissionMode.ASK_FOR_APPROVAL;
    }
    return PermissionMode.of(value.asText())
        .orElseThrow(() -> BatchProblems.permissionMode(value.asText()));
  }

  private static @Nullable String session(ObjectNode body) {
    var value = body.has("session_id") ? body.path("session_id") : body.path("sessionId");
    return Json.absent(value) ? null : text(value, "session_id");
  }

  private static List<BatchCall> calls(JsonNode array) {
    if (!array.isArray() || array.isEmpty() || array.size() > MOST_CALLS) {
      throw BatchProblems.body("calls", "an array of 1 to " + MOST_CALLS + " calls");
    }
    var ids = new HashSet<String>();
    var calls = new ArrayList<BatchCall>(array.size());
    for (var call : array) {
      calls.add(call(calls.size(), call, ids));
    }
    return calls;
  }

  private static BatchCall call(int index, JsonNode call, Set<String> ids) {
    var at = "calls[" + index + "].";
    var id = text(call.path("id"), at + "id");
    if (!ids.add(id)) {
      throw BatchProblems.body(at + "id", "another id than the calls before");
    }
    var approved = call.path("approved");
    if (!Json.absent(approved) && !approved.isBoolean()) {
      throw BatchProblems.body(at + "approved", "true or false");
    }
    var name = text(call.path("name"), at + "name");
    return new BatchCall(index, id, name, args(call.path("arguments")), approved.asBoolean());
  }

  private static String text(JsonNode value, String field) {
    if (!value.isTextual() || value.textValue().isBlank() || value.asText().length() > LONGEST_ID) {
      throw BatchProblems.body(field, "a string of 1 to " + LONGEST_ID + " characters");
    }
    return value.textValue();
  }

  // Models write text; whoever passes it on may leave it as it is.
  private static @Nullable ObjectNode args(JsonNode value) {
    if (Json.absent(value) || (value.isTextual() && value.textValue().isBlank())) {
      return JsonNodeFactory.instance.objectNode();
    }
    var read = value.isTextual() ? Json.valueOf(value.textValue()) : value;
    return read instanceof ObjectNode object ? object : null;
  }
}
