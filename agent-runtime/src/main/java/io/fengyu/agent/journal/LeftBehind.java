package io.fengyu.agent.journal;

import io.smallrye.mutiny.Uni;
import java.util.Collection;
import java.util.UUID;

/** Ends what can outlive the process that executed a run. */
public interface LeftBehind {

  /**
   * Ends whatever works for these runs on this machine; their executor is dead or has given them
   * up. Emits false when something of it still lives: then nobody may say that they have ended.
   */
  Uni<Boolean> end(Collection<UUID> runs);
}
