package io.fengyu.agent.journal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * The write side of one run's journal, held by the one executor that holds the run's lease.
 *
 * <p>Calls are ordered: sequence numbers follow the order of calls, and nothing is ever durable
 * before what was appended earlier. Many logs share one statement (group commit), so a caller that
 * doesn't need certainty just goes on.
 */
public interface RunLog {

  /** The run. */
  UUID runId();

  /** The stage this log may write for; an older one is refused by the database. */
  int generation();

  /**
   * Queues events and the state that changes with them; all of one call commit together. Never
   * blocks; whoever appends in a loop awaits {@link #room()} before.
   *
   * @throws FencedException after the lease was lost
   * @throws IllegalStateException after the run was ended or paused
   */
  void append(List<Entry> events, List<Change> changes);

  /**
   * Adds one fragment of a text. Readers on this replica see it at once; it is stored with its
   * neighbours, at the latest when something else is appended.
   *
   * @param type a type whose events are fragments
   * @throws FencedException after the lease was lost
   * @throws IllegalStateException after the run was ended or paused
   */
  void appendText(EventType type, String text);

  /** How many entries of this run are queued and not yet durable. */
  int pending();

  /**
   * Completes when the journal has room for more, mostly at once; while the database is slow or
   * away it holds producers back.
   */
  CompletionStage<Void> room();

  /**
   * Completes when everything appended so far is on disk; fails with {@link FencedException} when
   * the lease or the generation was lost, and then nothing of it was written.
   */
  CompletionStage<Void> durable();

  /** False once the lease was lost: whoever works for this run stops, and begins nothing more. */
  boolean held();

  /** True when the end that was appended became a cancel that had been accepted before it. */
  default boolean endedAsCancelled() {
    return false;
  }

  /** One event. {@code seq} is added to streamed data by whoever reads it. */
  record Entry(EventType type, ObjectNode data) {}
}
