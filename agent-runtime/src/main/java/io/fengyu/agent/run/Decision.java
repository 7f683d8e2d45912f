package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.json.CanonicalJson;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a reviewer decided about an open gate.
 *
 * @param patchedArgs the arguments to use instead; only with {@code MODIFY}
 * @param plan an edited plan as it came; only with {@code APPROVE}
 * @param stated what the body says about the gate it means; a missing node for each it doesn't
 */
record Decision(
    Kind kind, @Nullable ObjectNode patchedArgs, @Nullable ObjectNode plan, Stated stated) {

  // A body that says something, but nothing we know, may mean a refusal: it approves nothing.
  private static final List<String> KNOWN =
      List.of("decision", "gateId", "run_id", "tool_call_id", "tool_name", "generation");

  /** The three answers. */
  enum Kind {
    APPROVE,
    REJECT,
    MODIFY;

    String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What has to match the gate, if it is stated. */
  record Stated(
      JsonNode gateId,
      JsonNode runId,
      JsonNode toolCallId,
      JsonNode toolName,
      JsonNode generation) {

    static Stated of(JsonNode body) {
      return new Stated(
          body.path("gateId"),
          body.path("run_id"),
          body.path("tool_call_id"),
          body.path("tool_name"),
          body.path("generation"));
    }
  }

  /**
   * Reads a body; nothing at all, or only the gate that is meant, approves.
   *
   * @throws io.fengyu.contract.problem.ProblemException 409 when it decides about several
   *     operations, 400 when it can't be understood
   */
  static Decision read(@Nullable JsonNode json) {
    var body = json == null ? MissingNode.getInstance() : json;
    if (body.isArray() || body.has("decisions")) {
      throw RunRefusals.severalDecisions();
    }
    if (!Json.absent(body) && !body.isObject()) {
      throw RunRefusals.body("", "an object");
    }
    var stated = Stated.of(body);
    if (body.has("steps")) {
      return new Decision(Kind.APPROVE, null, (ObjectNode) body, stated);
    }
    if (!body.isEmpty() && KNOWN.stream().noneMatch(body::hasNonNull)) {
      throw RunRefusals.decisionMissing();
    }
    var kind = kind(body.path("decision"));
    return new Decision(kind, kind == Kind.MODIFY ? patch(body) : null, null, stated);
  }

  private static Kind kind(JsonNode value) {
    if (Json.absent(value)) {
      return Kind.APPROVE;
    }
    return switch (value.asText()) {
      case "approve" -> Kind.APPROVE;
      case "reject" -> Kind.REJECT;
      case "modify" -> Kind.MODIFY;
      default -> throw RunRefusals.decisionUnknown(value.asText());
    };
  }

  private static ObjectNode patch(JsonNode body) {
    if (body.path("patched_args") instanceof ObjectNode args) {
      return args;
    }
    throw RunRefusals.body("patched_args", "an object");
  }

  /** What is kept with the gate, to recognise the same decision when it comes again. */
  String key() {
    if (plan != null) {
      return "edit:" + CanonicalJson.sha256(plan);
    }
    return patchedArgs == null
        ? kind.wire()
        : kind.wire() + ":" + CanonicalJson.sha256(patchedArgs);
  }
}
