package io.fengyu.agent.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Sensitive;
import io.fengyu.contract.plan.InputBinding;
import io.fengyu.contract.plan.UnresolvedReferenceException;
import org.jspecify.annotations.Nullable;

/** The goal of a run as people read it: with its inputs, except those that nobody may see. */
final class ShownGoal {

  private static final ObjectMapper JSON = new ObjectMapper();

  private ShownGoal() {}

  /**
   * The goal with values in the place of references; as written when one has none.
   *
   * @param inputs JSON object; null when the run has none
   */
  static String of(String written, @Nullable String inputs) {
    if (inputs == null || !written.contains("{{")) {
      return written;
    }
    try {
      return InputBinding.goal(written, visible(inputs));
    } catch (UnresolvedReferenceException | JsonProcessingException unbound) {
      return written;
    }
  }

  private static ObjectNode visible(String inputs) throws JsonProcessingException {
    return JSON.readTree(inputs) instanceof ObjectNode object
        ? Sensitive.masked(object, MissingNode.getInstance())
        : JSON.createObjectNode();
  }
}
