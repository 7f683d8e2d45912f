package io.fengyu.agent.tool.helper;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fengyu.agent.tool.Declaration;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolArgs;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.ToolSpec;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Decides which branch of a flow goes on; steps name the branch they wait for. */
@Singleton
class FlowIf implements Tool {

  private static final ToolSpec SPEC =
      Declaration.of(
              "flow_if",
              "Compares two values and returns {\"branch\":\"true\"} or {\"branch\":\"false\"};"
                  + " later steps run on the branch they name. Numbers compare as numbers, also"
                  + " when written as text.")
          .effect(Effect.READ)
          .resources(List.of(), List.of())
          .label("If")
          .control()
          .in(
              Field.optional("left", "any", "The value to look at."),
              Field.optional("operator", "string", "How to compare.")
                  .oneOf(
                      "equals",
                      "not_equals",
                      "greater",
                      "greater_or_equal",
                      "less",
                      "less_or_equal",
                      "contains",
                      "starts_with",
                      "ends_with",
                      "is_empty",
                      "is_not_empty",
                      "is_true")
                  .byDefault(JsonNodeFactory.instance.textNode("equals")),
              Field.optional("right", "any", "The value to compare with."))
          .out(Field.required("branch", "string", "The branch taken.").oneOf("true", "false"))
          .spec();

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public String call(ToolCall call) throws ToolException {
    var args = ToolArgs.of(call);
    var operator = args.optionalText("operator");
    var holds =
        holds(args.given("left"), operator == null ? "equals" : operator, args.given("right"));
    return JsonNodeFactory.instance.objectNode().put("branch", holds ? "true" : "false").toString();
  }

  private static boolean holds(@Nullable JsonNode left, String operator, @Nullable JsonNode right)
      throws ToolException {
    return switch (operator) {
      case "equals" -> same(left, right);
      case "not_equals" -> !same(left, right);
      case "greater" -> order(left, right) > 0;
      case "greater_or_equal" -> order(left, right) >= 0;
      case "less" -> order(left, right) < 0;
      case "less_or_equal" -> order(left, right) <= 0;
      case "contains" -> contains(left, right);
      case "starts_with" -> text(left).startsWith(text(right));
      case "ends_with" -> text(left).endsWith(text(right));
      case "is_empty" -> empty(left);
      case "is_not_empty" -> !empty(left);
      case "is_true" -> text(left).equalsIgnoreCase("true");
      default -> throw new ToolException("argument 'operator' is unknown: " + operator);
    };
  }

  private static boolean same(@Nullable JsonNode left, @Nullable JsonNode right) {
    var leftNumber = number(left);
    var rightNumber = number(right);
    if (leftNumber != null && rightNumber != null) {
      return leftNumber.compareTo(rightNumber) == 0;
    }
    if (left != null && right != null && left.isValueNode() && right.isValueNode()) {
      return left.asText().equals(right.asText());
    }
    return Objects.equals(left, right);
  }

  private static int order(@Nullable JsonNode left, @Nullable JsonNode right) throws ToolException {
    var leftNumber = number(left);
    var rightNumber = number(right);
    if (leftNumber != null && rightNumber != null) {
      return leftNumber.compareTo(rightNumber);
    }
    if (left == null || right == null || !left.isTextual() || !right.isTextual()) {
      throw new ToolException("only two numbers or two texts have an order");
    }
    return left.textValue().compareTo(right.textValue());
  }

  private static boolean contains(@Nullable JsonNode left, @Nullable JsonNode right) {
    if (left == null || !left.isArray()) {
      return text(left).contains(text(right));
    }
    for (var element : left) {
      if (same(element, right)) {
        return true;
      }
    }
    return false;
  }

  private static boolean empty(@Nullable JsonNode value) {
    return value == null || (value.isContainerNode() ? value.isEmpty() : value.asText().isBlank());
  }

  private static String text(@Nullable JsonNode value) {
    if (value == null) {
      return "";
    }
    return value.isValueNode() ? value.asText() : value.toString();
  }

  // Bounded, so that a text like 1e999999999 is compared as text instead of being expanded.
  private static @Nullable BigDecimal number(@Nullable JsonNode value) {
    if (value == null || !(value.isNumber() || value.isTextual())) {
      return null;
    }
    var text = value.asText().strip();
    return text.matches("[+-]?[0-9]{1,40}([.][0-9]{1,40})?([eE][+-]?[0-9]{1,3})?")
        ? new BigDecimal(text)
        : null;
  }
}
