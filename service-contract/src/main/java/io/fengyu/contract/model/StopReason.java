package io.fengyu.contract.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Why a model stopped on its own. */
public enum StopReason {
  /** It had said everything. */
  @JsonProperty("end")
  END,
  /** It waits for the results of its tool calls. */
  @JsonProperty("tool_calls")
  TOOL_CALLS,
  /** A token limit was reached. */
  @JsonProperty("length")
  LENGTH,
  /** The provider withheld the rest. */
  @JsonProperty("filtered")
  FILTERED
}
