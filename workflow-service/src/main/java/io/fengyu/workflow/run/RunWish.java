package io.fengyu.workflow.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.json.CanonicalJson;
import io.fengyu.workflow.WorkflowProblems;
import io.fengyu.workflow.json.ExactJson;
import io.fengyu.workflow.json.RawBody;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a caller wants to run with.
 *
 * @param config as sent, or what a run by hand has without any
 * @param startRequestId makes a repeated start the same start; null for none
 * @param fingerprint of everything but that id
 */
record RunWish(
    ObjectNode inputs,
    ObjectNode config,
    RunFiles files,
    @Nullable String startRequestId,
    @Nullable String sessionId,
    String fingerprint) {

  private static final int LONGEST_ID = 200;
  private static final Set<String> MODES =
      Set.of("ask-for-approval", "approve-for-me", "full-access");

  static RunWish of(RawBody body) {
    return new RunWish(
        object(body, "inputs", ExactJson.object()),
        checked(object(body, "config", byHand())),
        RunFiles.of(body.tree("files")),
        startId(either(body, "start_request_id", "startRequestId")),
        either(body, "session_id", "sessionId"),
        fingerprint(body.tree()));
  }

  private static String fingerprint(ObjectNode content) {
    content.remove(List.of("start_request_id", "startRequestId"));
    return CanonicalJson.sha256(content);
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

  private static @Nullable String startId(@Nullable String id) {
    if (id != null
        && (id.isBlank()
            || id.length() > LONGEST_ID
            || id.chars().anyMatch(Character::isISOControl))) {
      throw WorkflowProblems.startIdInvalid(LONGEST_ID);
    }
    return id;
  }

  private static @Nullable String either(RawBody body, String name, String alias) {
    var value = body.string(name);
    return value == null ? body.string(alias) : value;
  }
}
