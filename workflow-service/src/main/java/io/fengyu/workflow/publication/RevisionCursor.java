package io.fengyu.workflow.publication;

import io.fengyu.workflow.WorkflowProblems;

/** Where a page of snapshots ended: the number of its last one. */
final class RevisionCursor {

  private RevisionCursor() {}

  static int of(String cursor) {
    try {
      return Integer.parseInt(cursor);
    } catch (NumberFormatException unreadable) {
      throw WorkflowProblems.badQuery("cursor");
    }
  }
}
