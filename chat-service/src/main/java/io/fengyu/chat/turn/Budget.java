package io.fengyu.chat.turn;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * How much a turn may use; null where it is not limited.
 *
 * @param maxTokens of requests and answers together
 * @param maxIdenticalCalls of one tool with the same arguments
 */
record Budget(
    @Nullable Long maxTokens,
    @Nullable Long maxToolCalls,
    @Nullable Long maxWallTimeMs,
    @Nullable Long maxIdenticalCalls) {

  static final Budget UNLIMITED = new Budget(null, null, null, null);

  private static final long LARGEST = 1_000_000_000_000L;

  static Budget read(JsonNode value) {
    if (value.isMissingNode() || value.isNull()) {
      return UNLIMITED;
    }
    if (!value.isObject()) {
      throw TurnRefusals.option("budget", "an object");
    }
    if (value.hasNonNull("maxCost")) {
      throw TurnRefusals.option("budget.maxCost", "absent: no prices of models are configured");
    }
    return new Budget(
        limit(value, "maxTokens"),
        limit(value, "maxToolCalls"),
        limit(value, "maxWallTimeMs"),
        limit(value, "maxIdenticalCalls"));
  }

  private static @Nullable Long limit(JsonNode budget, String name) {
    var value = budget.path(name);
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    if (!value.isIntegralNumber()
        || !value.canConvertToLong()
        || value.longValue() < 1
        || value.longValue() > LARGEST) {
      throw TurnRefusals.option("budget." + name, "a whole number from 1 to " + LARGEST);
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
}
