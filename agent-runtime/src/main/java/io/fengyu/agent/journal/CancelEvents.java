package io.fengyu.agent.journal;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** How a cancelled run's journal ends. */
public final class CancelEvents {

  /** The change that goes with {@link #last}. */
  public static final Change.End END =
      new Change.End(RunStatus.CANCELLED, null, "Run cancelled", false);

  private CancelEvents() {}

  /** The last events of a run that was executed when the request came. */
  public static List<RunLog.Entry> last(UUID runId) {
    var json = JsonNodeFactory.instance;
    return List.of(
        new RunLog.Entry(EventType.CANCELLED, json.objectNode()),
        new RunLog.Entry(
            EventType.ERROR,
            json.objectNode()
                .put("message", "Run cancelled")
                .put("code", "CANCELLED")
                .put("runId", runId.toString())
                .put("status", RunStatus.CANCELLED.name())));
  }

  /** The last events, with the request before them unless the journal has it. */
  static List<RunLog.Entry> all(UUID runId, boolean requestSeen) {
    var events = new ArrayList<RunLog.Entry>();
    if (!requestSeen) {
      events.add(
          new RunLog.Entry(EventType.CANCEL_REQUESTED, JsonNodeFactory.instance.objectNode()));
    }
    events.addAll(last(runId));
    return events;
  }
}
