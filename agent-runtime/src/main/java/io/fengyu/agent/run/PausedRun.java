package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.history.Usage;
import io.fengyu.agent.journal.StoredRun;
import io.fengyu.agent.run.StepHistory.Recorded;
import io.fengyu.agent.tool.Tool;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A paused run with all that is needed to go on.
 *
 * @param gate as it was shown
 * @param talk the conversation that paused; null for a run with a plan
 * @param tools the catalog as it is now
 * @param used what the run had used when it paused
 */
record PausedRun(
    StoredRun run,
    String gateId,
    ObjectNode gate,
    List<Recorded> history,
    @Nullable DirectTalk talk,
    Map<String, Tool> tools,
    Usage used) {

  boolean atStep() {
    return gate.path("kind").asText().equals("step");
  }

  int step() {
    return gate.path("index").asInt();
  }

  /** What the run was given. */
  static ObjectNode inputs(StoredRun run) {
    return run.inputs() == null ? JsonNodeFactory.instance.objectNode() : Json.stored(run.inputs());
  }
}
