package io.fengyu.agent.approval;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.smallrye.mutiny.Uni;
import java.util.List;

/**
 * Where gates come from. Each is a bean; what opens and closes at a source is a row of {@code
 * agent.approval_event}, written with the change itself.
 */
public interface ApprovalSource {

  /** Its name in {@code source}. */
  String name();

  /** Open gates of the owner behind the cursor, oldest first, at most so many. */
  Uni<List<OpenGate>> open(String owner, GateCursor after, int limit);

  /** Those gates that are open right now at these runs, turns or tasks, in no order. */
  Uni<List<OpenGate>> openAt(String owner, List<String> subjects);

  /** True when a gate of this id would be one of its own. */
  boolean knows(String gateId);

  /**
   * Decides about a gate of its own. Fails with the problem {@code GATE_NOT_FOUND} when there is
   * none of that id, or it is somebody else's.
   *
   * @param decision with {@code decision}, and what belongs to it
   */
  Uni<GateDecided> decide(String owner, String gateId, ObjectNode decision);
}
