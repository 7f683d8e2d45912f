package io.fengyu.agent.guard;

import io.fengyu.agent.scope.DataScope;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * On whose behalf, and how freely, a call is made.
 *
 * @param readOnly true when the work as a whole may only read
 * @param standing whether somebody can be asked
 * @param workspace where commands may work; null when not known
 * @param runId the run it is part of; null outside of one
 * @param scope the data it may be about
 */
public record Subject(
    String owner,
    PermissionMode mode,
    boolean readOnly,
    Standing standing,
    @Nullable Path workspace,
    @Nullable UUID runId,
    DataScope scope) {

  /** Whether a call can wait for a person. */
  public enum Standing {
    /** It can. */
    DIRECT,
    /**
     * It is made inside a synchronous call that was permitted already: what only the mode would ask
     * about counts as granted, what a rule or the floor asks about fails.
     */
    INHERITED
  }

  /** Somebody who can be asked. */
  public static Subject of(String owner, PermissionMode mode) {
    return new Subject(owner, mode, false, Standing.DIRECT, null, null, DataScope.EVERYTHING);
  }

  /** The same inside a call that was permitted. */
  public Subject inherited() {
    return new Subject(owner, mode, readOnly, Standing.INHERITED, workspace, runId, scope);
  }

  /** The same, held to reading. */
  public Subject readingOnly(boolean only) {
    return new Subject(owner, mode, only, standing, workspace, runId, scope);
  }

  /** The same, with a place to work. */
  public Subject in(@Nullable Path place) {
    return new Subject(owner, mode, readOnly, standing, place, runId, scope);
  }

  /** The same, as part of a run. */
  public Subject forRun(UUID run) {
    return new Subject(owner, mode, readOnly, standing, workspace, run, scope);
  }

  /** The same, held to some data. */
  public Subject within(DataScope limits) {
    return new Subject(owner, mode, readOnly, standing, workspace, runId, limits);
  }
}
