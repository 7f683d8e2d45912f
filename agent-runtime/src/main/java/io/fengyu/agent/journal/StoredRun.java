package io.fengyu.agent.journal;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A run as its row has it; the JSON columns are texts, since most readers pass them on unread.
 *
 * @param config JSON object
 * @param plan JSON object; null until there is one
 * @param inputs JSON object; null for none
 * @param gateId the open gate; null when there is none
 * @param pendingGate payload of the open gate, JSON object
 * @param releasedGate the gate that was decided last; null when none was
 * @param releasedDecision what was decided
 * @param executor the process that executes it; null while paused and after the end
 * @param ancestor the run whose plan it took over; null for none
 * @param home the run whose folders it works in; null for its own
 */
public record StoredRun(
    UUID id,
    String owner,
    @Nullable String sessionId,
    String goal,
    RunStatus status,
    String config,
    @Nullable String plan,
    @Nullable String inputs,
    @Nullable String summary,
    @Nullable String error,
    boolean interrupted,
    @Nullable UUID resumedFrom,
    String sandboxProfile,
    CancelStatus cancelStatus,
    boolean executionStopped,
    boolean terminalPersisted,
    int generation,
    int revision,
    @Nullable String gateId,
    @Nullable String pendingGate,
    @Nullable String releasedGate,
    @Nullable String releasedDecision,
    @Nullable UUID executor,
    Instant createdAt,
    Instant updatedAt,
    @Nullable Instant completedAt,
    @Nullable UUID ancestor,
    @Nullable UUID home) {

  /** How far a cancel has come. */
  public enum CancelStatus {
    NONE,
    REQUESTED,
    STOPPING,
    /** Everything has ended and its final state is stored. */
    CONFIRMED;

    /** Lower-case word of the wire. */
    public String wire() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /** True when a further run or turn may start in this run's conversation, as far as it goes. */
  public boolean canSend() {
    return !status.open() && terminalPersisted;
  }
}
