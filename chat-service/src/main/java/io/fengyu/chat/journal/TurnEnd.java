package io.fengyu.chat.journal;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * How a turn ends.
 *
 * @param type of the last event
 * @param data of the last event
 * @param record what is kept of it beside the text
 */
public record TurnEnd(
    TurnStatus status, String text, String type, ObjectNode data, @Nullable ObjectNode record) {

  /** The reply is whole. */
  public static TurnEnd done(String text, ObjectNode data, ObjectNode record) {
    return new TurnEnd(TurnStatus.COMPLETED, text, Frame.DONE, data, record);
  }

  /** It ends early. */
  public static TurnEnd error(
      TurnStatus status, String text, ObjectNode data, @Nullable ObjectNode record) {
    return new TurnEnd(status, text, Frame.ERROR, data, record);
  }

  /** The data of an error. */
  public static ObjectNode failure(String code, String errorCode, String message) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("message", message)
        .put("code", code)
        .put("errorCode", errorCode);
  }

  static ObjectNode cancelled() {
    return failure("CANCELLED", "ABORTED", "The turn was cancelled");
  }

  static ObjectNode interrupted() {
    return failure("INTERRUPTED", "ABORTED", "The process that executed the turn stopped");
  }
}
