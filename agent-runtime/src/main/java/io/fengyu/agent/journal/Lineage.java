package io.fengyu.agent.journal;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where a run comes from that takes over the plan of another one.
 *
 * @param ancestor whose plan it is, and whose receipts are asked before a call is made again
 * @param resumed true when it is shown as going on with that run; a fork is not
 * @param home the run whose folders it works in; null for folders of its own
 * @param inherited what earlier runs did for it, in index order
 */
public record Lineage(
    UUID ancestor, boolean resumed, @Nullable UUID home, List<Inherited> inherited) {

  /**
   * A completed step that need not be done again. Copied, so that it stays when the run that did it
   * goes.
   *
   * @param data what {@code step_complete} says of it
   */
  public record Inherited(String data) {}

  @Nullable UUID resumedFrom() {
    return resumed ? ancestor : null;
  }
}
