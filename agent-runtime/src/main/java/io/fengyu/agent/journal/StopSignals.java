package io.fengyu.agent.journal;

import java.util.UUID;

/** Told when work on a run that this process executes has to stop. */
public interface StopSignals {

  /** Somebody asked for the run to be cancelled, here or on another replica. Told at least once. */
  void cancelRequested(UUID runId);

  /** The lease is lost: the run's log refuses everything from now on. */
  void leaseLost(UUID runId);
}
