package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.agent.journal.Change.ReceiptState;

/** What one call of a tool came to. */
public sealed interface ToolOutcome {

  /** What is known of its effect. */
  ReceiptState state();

  /**
   * It worked.
   *
   * @param text in full
   * @param value the same as JSON
   */
  record Answered(String text, JsonNode value) implements ToolOutcome {

    @Override
    public ReceiptState state() {
      return ReceiptState.DONE;
    }
  }

  /** It did not, or was stopped. */
  record Refused(String error, ReceiptState state) implements ToolOutcome {}

  /** A result is a success unless it says otherwise itself. */
  static ToolOutcome of(String result) {
    var value = Json.valueOf(result);
    if (value.path("success").isBoolean() && !value.path("success").booleanValue()) {
      return new Refused(failureText(value, result), ReceiptState.FAILED);
    }
    return new Answered(result, value);
  }

  private static String failureText(JsonNode value, String result) {
    var told = Json.first(value.path("error"), value.path("summary"));
    if (told.isMissingNode()) {
      return result;
    }
    return told.isTextual() ? told.textValue() : told.toString();
  }
}
