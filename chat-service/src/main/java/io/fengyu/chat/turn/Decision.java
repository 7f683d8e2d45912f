package io.fengyu.chat.turn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * What a person says about a call.
 *
 * @param word {@code approve}, {@code reject} or {@code modify}
 * @param patchedArgs with {@code modify} only
 */
record Decision(String word, @Nullable ObjectNode patchedArgs, @Nullable String feedback) {

  private static final int LONGEST_FEEDBACK = 4000;

  /** Reads either form of a body; one that does not say what it decides is never an approval. */
  static Decision read(@Nullable JsonNode body) {
    if (!(body instanceof ObjectNode given)) {
      throw TurnRefusals.decisionMissing();
    }
    var feedback = given.path("feedback");
    var words = feedback.isTextual() ? shortened(feedback.textValue()) : null;
    var decision = given.path("decision");
    if (TurnRequest.absent(decision)) {
      var approved = given.path("approved");
      if (!approved.isBoolean()) {
        throw TurnRefusals.decisionMissing();
      }
      return new Decision(approved.booleanValue() ? "approve" : "reject", null, words);
    }
    return switch (decision.asText()) {
      case "approve", "reject" -> new Decision(decision.asText(), null, words);
      case "modify" -> {
        if (!(given.path("patched_args") instanceof ObjectNode args)) {
          throw TurnRefusals.option("patched_args", "an object");
        }
        yield new Decision("modify", args, words);
      }
      default -> throw TurnRefusals.decisionMissing();
    };
  }

  private static String shortened(String text) {
    var most = Math.min(text.length(), LONGEST_FEEDBACK);
    return text.substring(0, most).replace('\0', '\uFFFD');
  }
}
