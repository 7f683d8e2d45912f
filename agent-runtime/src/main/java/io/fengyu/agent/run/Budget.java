package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * How much a run may use; null where it is not limited.
 *
 * @param maxTokens of requests and answers together
 * @param maxToolCalls every attempt counts
 * @param maxWallTimeMs at work; waiting at gates is none
 * @param maxIdenticalCalls of one tool with the same arguments
 */
record Budget(
    @Nullable Long maxTokens,
    @Nullable Long maxToolCalls,
    @Nullable Long maxWallTimeMs,
    @Nullable Long maxIdenticalCalls) {

  static final Budget UNLIMITED = new Budget(null, null, null, null);

  private static final long LARGEST = 1_000_000_000_000L;

  /**
   * Reads {@code config.budget}.
   *
   * @throws io.fengyu.contract.problem.ProblemException 400 for what is no limit
   */
  static Budget read(JsonNode value) {
    if (Json.absent(value)) {
      return UNLIMITED;
    }
    if (!value.isObject()) {
      throw RunRefusals.config("budget", "an object");
    }
    if (!Json.absent(value.path("maxCost"))) {
      throw RunRefusals.config("budget.maxCost", "absent: no prices of models are configured");
    }
    return new Budget(
        limit(value, "maxTokens"),
        limit(value, "maxToolCalls"),
        limit(value, "maxWallTimeMs"),
        limit(value, "maxIdenticalCalls"));
  }

  private static @Nullable Long limit(JsonNode budget, String name) {
    var value = budget.path(name);
    if (Json.absent(value)) {
      return null;
    }
    if (!value.isIntegralNumber()
        || !value.canConvertToLong()
        || value.longValue() < 1
        || value.longValue() > LARGEST) {
      throw RunRefusals.config("budget." + name, "a whole number from 1 to " + LARGEST);
    }
    return value.longValue();
  }

  /** These limits, and those of the other where this one has none. */
  Budget or(Budget other) {
    return new Budget(
        maxTokens == null ? other.maxTokens : maxTokens,
        maxToolCalls == null ? other.maxToolCalls : maxToolCalls,
        maxWallTimeMs == null ? other.maxWallTimeMs : maxWallTimeMs,
        maxIdenticalCalls == null ? other.maxIdenticalCalls : maxIdenticalCalls);
  }

  /** What the run's detail shows; null without any limit. */
  @Nullable ObjectNode toJson() {
    if (equals(UNLIMITED)) {
      return null;
    }
    var json = JsonNodeFactory.instance.objectNode();
    put(json, "maxTokens", maxTokens);
    put(json, "maxToolCalls", maxToolCalls);
    put(json, "maxWallTimeMs", maxWallTimeMs);
    put(json, "maxIdenticalCalls", maxIdenticalCalls);
    return json;
  }

  private static void put(ObjectNode json, String name, @Nullable Long limit) {
    if (limit != null) {
      json.put(name, limit);
    }
  }
}
