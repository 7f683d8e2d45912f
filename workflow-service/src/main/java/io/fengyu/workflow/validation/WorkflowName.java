package io.fengyu.workflow.validation;

import io.fengyu.workflow.WorkflowProblems;
import org.jspecify.annotations.Nullable;

/** The name of a workflow: 1 to 160 characters, without spaces around them. */
public final class WorkflowName {

  private static final int MAX = 160;
  private static final String COPY = " (copy)";

  private WorkflowName() {}

  /** The name without what surrounds it. */
  public static String checked(@Nullable String name) {
    // A text in Postgres cannot hold the character NUL.
    var trimmed = name == null ? "" : name.replace("\0", "").strip();
    if (trimmed.isEmpty()) {
      throw WorkflowProblems.nameRequired();
    }
    int length = trimmed.codePointCount(0, trimmed.length());
    if (length > MAX) {
      throw WorkflowProblems.nameTooLong(MAX, length);
    }
    return trimmed;
  }

  /** The name that a copy gets when nobody chose one. */
  public static String ofCopy(String name) {
    var copy = name + COPY;
    int length = copy.codePointCount(0, copy.length());
    return length <= MAX ? copy : copy.substring(0, copy.offsetByCodePoints(0, MAX)).strip();
  }
}
