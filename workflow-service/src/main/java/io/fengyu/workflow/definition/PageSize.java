package io.fengyu.workflow.definition;

import io.fengyu.workflow.WorkflowProblems;

/** How many items of a list are answered at once. */
public final class PageSize {

  private static final int MAX = 500;

  private PageSize() {}

  /** The wanted size, at most 500; what is no number from 1 is refused. */
  public static int of(String limit) {
    if (!limit.matches("[1-9][0-9]{0,8}")) {
      throw WorkflowProblems.badQuery("limit");
    }
    return Math.min(MAX, Integer.parseInt(limit));
  }
}
