package io.fengyu.agent.journal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.start.Settlement;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A run that is to be made.
 *
 * @param id a fresh id, time-ordered
 * @param sessionId conversation it holds until its end was read back; null for none
 * @param config what {@code config} of the detail shows
 * @param plan the plan as given; null while a model still has to make one
 * @param inputs values of {@code {{inputs.*}}}; null for none
 * @param lineage the run it takes over from; null for a fresh one
 * @param sandboxProfile {@code sandboxed} or {@code unsandboxed}
 * @param unattended true when nobody watches it
 * @param settlement claims of the start, without which the run is not made; null for none
 */
public record NewRun(
    UUID id,
    String owner,
    @Nullable String sessionId,
    String goal,
    ObjectNode config,
    @Nullable ObjectNode plan,
    @Nullable ObjectNode inputs,
    @Nullable Lineage lineage,
    String sandboxProfile,
    boolean unattended,
    @Nullable Settlement settlement) {}
