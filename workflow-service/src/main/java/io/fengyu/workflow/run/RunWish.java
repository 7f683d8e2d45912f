package io.fengyu.workflow.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.workflow.WorkflowProblems;
import io.fengyu.workflow.json.ExactJson;
import io.fengyu.workflow.json.RawBody;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a caller wants to run with.
 *
 * @param config as sent, or what a run by hand has without any
 * @param startRequestId makes a repeated start the same start; null for none
 */
record RunWish(
    ObjectNode inputs,
    ObjectNode config,
    RunFiles files,
    @Nullable String startRequestId,
    @Nullable String sessionId) {

  private static final Set<String> MODES =
      Set.of("ask-for-approval", "approve-for-me", "full-access");

  static RunWish of(RawBody body) {
    return new RunWish(
        object(body, "inputs", ExactJson.object()),
        checked(object(body, "config", byHand())),
        RunFiles.of(body.tree("files")),
        either(body, "start_request_id", "startRequestId"),
        either(body, "session_id", "sessionId"));
  }

  private static ObjectNode object(RawBody body, String name, ObjectNode otherwise) {
    JsonNode value = body.tree(name);
    if (value == null) {
      return otherwise;
    }
    if (value instanceof ObjectNode object) {
      return object;
    }
    throw WorkflowProblems.wrongType("/" + name, "object");
  }

  private static ObjectNode checked(ObjectNode config) {
    var mode = config.path("permissionMode");
    if (!mode.isMissingNode() && !mode.isNull() && !MODES.contains(mode.asText())) {
      throw WorkflowProblems.permissionModeUnknown(mode);
    }
    return config;
  }

  private static ObjectNode byHand() {
    return ExactJson.object()
        .put("requirePlanApproval", false)
        .put("requireStepApproval", true)
        .put("replanOnFailure", false)
        .put("maxReplans", 0)
        .put("permissionMode", "ask-for-approval");
  }

  private static @Nullable String either(RawBody body, String name, String alias) {
    var value = body.string(name);
    return value == null ? body.string(alias) : value;
  }
}
