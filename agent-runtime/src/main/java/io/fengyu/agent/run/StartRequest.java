package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.identity.Digest;
import io.fengyu.contract.json.CanonicalJson;
import io.fengyu.contract.plan.PlanReader;
import io.fengyu.contract.plan.PlanReader.ReadPlan;
import io.fengyu.contract.start.StartClaim;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of a start, read and checked as far as that needs nothing else.
 *
 * @param goal as written, references included; empty when a plan without a goal was given
 * @param plan null when a model is to make one
 * @param files as they came; null for none
 * @param requestId what makes repeated starts one; null for none
 * @param fingerprint of everything but that id
 */
record StartRequest(
    String goal,
    RunOptions options,
    @Nullable ReadPlan plan,
    ObjectNode inputs,
    @Nullable JsonNode files,
    @Nullable String sessionId,
    @Nullable String requestId,
    String fingerprint) {

  private static final int MAX_ID = 200;
  private static final int MAX_GOAL = 100_000;

  /**
   * Reads a body.
   *
   * @throws io.fengyu.contract.problem.ProblemException 400 for what can't be read
   */
  static StartRequest read(@Nullable JsonNode json) {
    if (!(json instanceof ObjectNode body)) {
      throw RunRefusals.body("", "an object");
    }
    var workflow = body.path("workflow");
    var plan = Json.absent(workflow) ? null : PlanReader.read(workflow);
    var goal = goal(body, plan);
    var options = RunOptions.read(body, plan != null);
    return new StartRequest(
        goal,
        options,
        plan,
        inputs(body.path("inputs")),
        files(body.path("files")),
        id(Json.first(body.path("session_id"), body.path("sessionId")), "session_id"),
        id(
            Json.first(body.path("start_request_id"), body.path("startRequestId")),
            "start_request_id"),
        fingerprint(body));
  }

  /** The same for a run that something else than a caller starts. */
  StartRequest startedBy(StartedBy starter) {
    return new StartRequest(
        goal, options.startedBy(starter), plan, inputs, files, sessionId, requestId, fingerprint);
  }

  /**
   * The same for a run inside of a call.
   *
   * @param session the conversation of the call, whose data the run is held to; null for none
   */
  StartRequest inside(@Nullable String session) {
    var inner = options.startedBy(StartedBy.TOOL).dataOf(session);
    return new StartRequest(goal, inner, plan, inputs, files, sessionId, requestId, fingerprint);
  }

  private static String goal(ObjectNode body, @Nullable ReadPlan plan) {
    var value = body.path("goal");
    if (!Json.absent(value) && !value.isTextual()) {
      throw RunRefusals.body("goal", "a string");
    }
    var goal = value.asText("").strip();
    if (goal.length() > MAX_GOAL) {
      throw RunRefusals.body("goal", "at most " + MAX_GOAL + " characters");
    }
    if (goal.isEmpty() && plan == null) {
      throw RunRefusals.goalMissing();
    }
    if (goal.isEmpty() && plan != null && plan.plan().goal() != null) {
      return plan.plan().goal();
    }
    return goal;
  }

  private static ObjectNode inputs(JsonNode value) {
    if (Json.absent(value)) {
      return JsonNodeFactory.instance.objectNode();
    }
    if (value instanceof ObjectNode inputs) {
      return inputs;
    }
    throw RunRefusals.body("inputs", "an object");
  }

  private static @Nullable JsonNode files(JsonNode value) {
    return Json.absent(value) ? null : value;
  }

  private static @Nullable String id(JsonNode value, String field) {
    if (Json.absent(value)) {
      return null;
    }
    if (!value.isTextual() || !CancelTarget.wellFormed(value.textValue())) {
      throw RunRefusals.body(
          field, "a string of 1 to " + MAX_ID + " characters, control characters excluded");
    }
    return value.textValue();
  }

  /** The same, with these limits where it has none. */
  StartRequest within(Budget limits) {
    return new StartRequest(
        goal, options.within(limits), plan, inputs, files, sessionId, requestId, fingerprint);
  }

  /**
   * What the request id stands for: this content, or what another service calls one operation,
   * whatever it says about it.
   */
  String fingerprint(List<StartClaim> claims) {
    return claims.stream()
        .filter(StartClaim::byOperation)
        .map(claim -> "operation " + Digest.of(claim.key().value()).hex())
        .findFirst()
        .orElse(fingerprint);
  }

  private static String fingerprint(ObjectNode body) {
    var content = body.objectNode().setAll(body);
    ((ObjectNode) content).remove(List.of("start_request_id", "startRequestId"));
    return CanonicalJson.sha256(content);
  }
}
