package io.fengyu.scheduler.queue;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * Why a task waits, and for what.
 *
 * @param position 1 for the one that starts next
 * @param ahead how many start before it
 * @param limit the bound that holds it back; the word that refusals use for it
 * @param runningLimit how many bodies may run at once
 * @param priority its class, by the word of metrics and refusals
 * @param estimatedStartMs from now, by how long bodies have been running lately; null when none has
 */
public record Place(
    int position,
    Ahead ahead,
    String limit,
    int runningLimit,
    @JsonProperty("class") String priority,
    @JsonInclude @Nullable Long estimatedStartMs) {

  /**
   * Tasks that start before.
   *
   * @param own of the same owner
   * @param others of all others
   */
  public record Ahead(int own, int others) {}
}
