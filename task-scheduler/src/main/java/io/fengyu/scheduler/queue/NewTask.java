package io.fengyu.scheduler.queue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.UUID;

/**
 * A task that is to be admitted.
 *
 * @param id chosen by the submitter: the same id is the same task, however often it is submitted
 * @param kind decides what its body is
 * @param description what its owner sees
 * @param request what the body needs, JSON
 */
public record NewTask(
    UUID id,
    String owner,
    String kind,
    Priority priority,
    String workflowId,
    String description,
    String request) {

  private static final int LONGEST_DESCRIPTION = 500;

  /** A run of the workflow's active snapshot. */
  public static NewTask workflow(
      UUID id, String owner, Origin origin, String workflowId, ObjectNode request) {
    return new NewTask(
        id,
        owner,
        origin.kind(),
        origin.priority(),
        workflowId,
        words("workflow " + workflowId),
        request.toString());
  }

  /** The same with other words for its owner. */
  public NewTask described(String words) {
    return new NewTask(id, owner, kind, priority, workflowId, words(words), request);
  }

  private static String words(String words) {
    var clean = words.replace('\0', '\uFFFD');
    return clean.length() <= LONGEST_DESCRIPTION ? clean : clean.substring(0, LONGEST_DESCRIPTION);
  }
}
