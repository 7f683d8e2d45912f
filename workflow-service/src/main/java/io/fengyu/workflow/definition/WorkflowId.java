package io.fengyu.workflow.definition;

import io.fengyu.workflow.WorkflowProblems;
import java.util.UUID;
import java.util.regex.Pattern;

/** Ids of workflows: letters, digits and {@code _}, because they are part of a tool name. */
public final class WorkflowId {

  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_]{1,64}");

  private WorkflowId() {}

  static String fresh() {
    return UUID.randomUUID().toString().replace("-", "");
  }

  /** The id, or 404 when there can be no workflow of that name. */
  public static String known(String id) {
    if (!WORD.matcher(id).matches()) {
      throw WorkflowProblems.notFound(id);
    }
    return id;
  }
}
