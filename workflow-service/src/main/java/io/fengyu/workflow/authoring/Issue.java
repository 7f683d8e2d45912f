package io.fengyu.workflow.authoring;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Something to know about a canvas.
 *
 * @param code stable word
 * @param message for models and people
 * @param nodeId the node it is about; null when it is about the flow
 */
public record Issue(
    Severity severity,
    String code,
    String message,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String nodeId) {

  /** How bad it is; a flow with an error cannot run. */
  public enum Severity {
    INFO,
    WARNING,
    ERROR;

    /** Lower-case word of the wire. */
    @JsonValue
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static Issue error(String code, @Nullable String nodeId, String message) {
    return new Issue(Severity.ERROR, code, message, nodeId);
  }

  static Issue warning(String code, @Nullable String nodeId, String message) {
    return new Issue(Severity.WARNING, code, message, nodeId);
  }

  /** One that an editor found. */
  static Issue of(JsonNode sent) {
    var severity =
        switch (sent.path("severity").asText("")) {
          case "error" -> Severity.ERROR;
          case "warning" -> Severity.WARNING;
          default -> Severity.INFO;
        };
    return new Issue(
        severity,
        sent.path("code").asText("editor"),
        sent.path("message").asText(""),
        sent.path("nodeId").textValue());
  }

  boolean isError() {
    return severity == Severity.ERROR;
  }
}
