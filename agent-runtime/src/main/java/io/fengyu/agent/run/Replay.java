package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.fengyu.contract.plan.AgentPlan;
import org.jspecify.annotations.Nullable;

/**
 * What is wanted of the plan of an earlier run.
 *
 * @param keepSteps how many steps count as done at most
 * @param truncate true when the plan ends after them
 * @param files as they came; null for none
 */
record Replay(Kind kind, int keepSteps, boolean truncate, @Nullable JsonNode files) {

  /** The three ways. */
  enum Kind {
    /** Goes on where the run ended, or broke off. */
    RESUME,
    /** Begins anew. */
    FORK,
    /** Goes back to a step. */
    REWIND
  }

  /**
   * Reads the body of a resume or a fork; it may be missing.
   *
   * @throws io.fengyu.contract.problem.ProblemException 400 when it can't be understood
   */
  static Replay read(Kind kind, @Nullable JsonNode json) {
    var body = object(json);
    int keep = kind == Kind.RESUME ? Integer.MAX_VALUE : 0;
    return new Replay(kind, keep, false, files(body));
  }

  /** Reads the body of a rewind. */
  static Replay rewind(@Nullable JsonNode json) {
    var body = object(json);
    var keep = body.path("keepSteps");
    if (!keep.isIntegralNumber() || !keep.canConvertToInt() || keep.intValue() < 0) {
      throw RunRefusals.body("keepSteps", "a whole number from 0");
    }
    var mode = body.path("mode").asText("truncate");
    if (!mode.equals("truncate") && !mode.equals("rerun")) {
      throw RunRefusals.body("mode", "\"truncate\" or \"rerun\"");
    }
    return new Replay(Kind.REWIND, keep.intValue(), mode.equals("truncate"), files(body));
  }

  private static JsonNode object(@Nullable JsonNode json) {
    if (json == null || json.isNull()) {
      return MissingNode.getInstance();
    }
    if (!json.isObject()) {
      throw RunRefusals.body("", "an object");
    }
    return json;
  }

  private static @Nullable JsonNode files(JsonNode body) {
    var files = body.path("files");
    return Json.absent(files) ? null : files;
  }

  /**
   * The part of a plan that is wanted.
   *
   * @throws io.fengyu.contract.problem.ProblemException 400 when it does not have so many steps
   */
  AgentPlan of(AgentPlan plan) {
    int steps = plan.steps().size();
    if (kind == Kind.REWIND && keepSteps >= steps) {
      throw RunRefusals.body("keepSteps", "less than the number of steps, " + steps);
    }
    return truncate
        ? new AgentPlan(
            plan.goal(), plan.reasoning(), plan.steps().subList(0, keepSteps), plan.other())
        : plan;
  }

  /** False when the new run begins with nothing. */
  boolean inherits() {
    return kind != Kind.FORK;
  }
}
