package io.fengyu.scheduler.task;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.scheduler.queue.TaskProblems;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What somebody wants to run.
 *
 * @param request what is bound when it starts: inputs, files, permission mode
 */
record Submission(String workflowId, ObjectNode request) {

  private static final String INPUTS = "inputs";

  /**
   * Reads {@code {workflowId, inputs?, files?, permissionMode?}}; inputs may be an object or the
   * text of one.
   *
   * @throws io.fengyu.contract.problem.ProblemException 400, naming what is wrong
   */
  static Submission read(@Nullable JsonNode body, ObjectMapper json) {
    if (!(body instanceof ObjectNode object)) {
      throw TaskProblems.field("", "WRONG_TYPE", Map.of("expected", "object"));
    }
    var workflowId = object.path("workflowId");
    if (!workflowId.isTextual() || workflowId.textValue().isBlank()) {
      throw TaskProblems.field("/workflowId", "REQUIRED", Map.of("field", "workflowId"));
    }
    var request = object.objectNode();
    request.set(INPUTS, inputs(object.path(INPUTS), json));
    if (object.hasNonNull("files")) {
      request.set("files", object.get("files"));
    }
    return new Submission(
        workflowId.textValue(), request.put("permissionMode", mode(object.path("permissionMode"))));
  }

  private static ObjectNode inputs(JsonNode value, ObjectMapper json) {
    if (value.isMissingNode() || value.isNull()) {
      return json.createObjectNode();
    }
    var inputs = value.isTextual() ? parsed(value.textValue(), json) : value;
    if (inputs instanceof ObjectNode object) {
      return object;
    }
    throw wrongInputs();
  }

  private static JsonNode parsed(String text, ObjectMapper json) {
    try {
      return json.readTree(text);
    } catch (JsonProcessingException noJson) {
      throw wrongInputs();
    }
  }

  private static RuntimeException wrongInputs() {
    return TaskProblems.field("/inputs", "WRONG_TYPE", Map.of("expected", "object"));
  }

  private static String mode(JsonNode value) {
    if (value.isMissingNode() || value.isNull()) {
      return "ask-for-approval";
    }
    return switch (value.asText()) {
      case "ask-for-approval", "approve-for-me", "full-access" -> value.asText();
      default -> throw TaskProblems.permissionMode(value.asText());
    };
  }
}
