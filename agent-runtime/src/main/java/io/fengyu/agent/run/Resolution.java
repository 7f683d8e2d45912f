package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Sensitive;
import io.fengyu.contract.plan.CompiledPlan;
import io.fengyu.contract.plan.PlanReader;
import java.util.Objects;

/** What the history says of a decision. */
final class Resolution {

  private Resolution() {}

  /** The data of its event. */
  static ObjectNode of(PausedRun paused, Decision decision, RunWork work) {
    var data =
        JsonNodeFactory.instance
            .objectNode()
            .put("gateId", paused.gateId())
            .put("kind", paused.gate().path("kind").asText())
            .put("decision", decision.kind().wire())
            .put("editedPlan", decision.plan() != null);
    if (paused.atStep()) {
      data.put("index", paused.step());
      data.set("tool_call_id", paused.gate().path("tool_call_id"));
    } else if (decision.plan() != null) {
      keep(data, decision.plan(), paused, work);
    }
    if (decision.patchedArgs() != null) {
      patch(data, decision.patchedArgs(), paused, work);
    }
    return data;
  }

  /** Steps that were done before the plan was reviewed stay so where the reviewer left them. */
  private static void keep(ObjectNode data, ObjectNode sent, PausedRun paused, RunWork work) {
    var before =
        CompiledPlan.of(
            PlanReader.read(Json.stored(Objects.requireNonNull(paused.run().plan()))).plan());
    var runs = StepHistory.fold(before, paused.history());
    if (runs.stream().noneMatch(StepRun::settled)) {
      return;
    }
    var kept = data.putArray("kept");
    KeptSteps.of(before, PlanReader.readEdited(EditedPlan.sent(sent)), work.plan(), runs)
        .forEach((index, was) -> kept.addObject().put("index", index).put("was", was));
  }

  private static void patch(ObjectNode data, ObjectNode patched, PausedRun paused, RunWork work) {
    var tool = work.tools().get(paused.gate().path("toolName").asText());
    var shown = tool == null ? patched : Sensitive.masked(patched, tool.spec().inputSchema());
    data.set("patched_args", shown);
    data.put("patchedSecret", !shown.equals(patched));
  }
}
