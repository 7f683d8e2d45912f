package io.fengyu.agent.history;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Map;

/**
 * What a run has used so far.
 *
 * @param toolCalls every attempt counts
 * @param wallTimeMs time at work; waiting at gates is none
 * @param estimated true when a provider did not count, and tokens were guessed from characters
 * @param calls how often each call was made with the same arguments, as far as that was limited
 */
public record Usage(
    long promptTokens,
    long completionTokens,
    long modelCalls,
    long toolCalls,
    long wallTimeMs,
    boolean estimated,
    @JsonIgnore Map<String, Integer> calls) {

  /** Of a run that begins. */
  public static final Usage NONE = new Usage(0, 0, 0, 0, 0, false, Map.of());
}
