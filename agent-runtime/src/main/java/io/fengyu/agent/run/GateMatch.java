package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.agent.journal.StoredRun;
import org.jspecify.annotations.Nullable;

/** Whether a decision is about the gate that is open now. */
final class GateMatch {

  private GateMatch() {}

  /**
   * True when this very decision has been taken before.
   *
   * @throws io.fengyu.contract.problem.ProblemException 409 when another one was
   */
  static boolean repeats(StoredRun run, Decision decision) {
    var gateId = decision.stated().gateId();
    if (!gateId.isTextual() || !gateId.textValue().equals(run.releasedGate())) {
      return false;
    }
    if (!decision.key().equals(run.releasedDecision())) {
      throw RunRefusals.staleApproval("decision");
    }
    return true;
  }

  /** The run, if the decision is about the gate that is open now. */
  static StoredRun checked(StoredRun run, Decision decision) {
    var stated = decision.stated();
    match(stated.runId(), run.id().toString(), "run_id");
    match(stated.gateId(), run.gateId(), "gateId");
    if (!Json.absent(stated.generation()) && stated.generation().asInt(-1) != run.generation()) {
      throw RunRefusals.staleGeneration(run.generation());
    }
    var pending = run.pendingGate();
    if (run.gateId() == null || pending == null) {
      match(stated.toolCallId(), null, "tool_call_id");
      throw RunRefusals.nothingPending(run.id());
    }
    var gate = Json.stored(pending);
    match(stated.toolCallId(), gate.path("tool_call_id").textValue(), "tool_call_id");
    match(stated.toolName(), gate.path("toolName").textValue(), "tool_name");
    if (decision.kind() == Decision.Kind.MODIFY && !gate.path("kind").asText().equals("step")) {
      throw RunRefusals.body("decision", "approve or reject, a plan is changed by sending it");
    }
    return run;
  }

  private static void match(JsonNode stated, @Nullable String stored, String field) {
    if (!Json.absent(stated) && !stated.asText().equals(stored)) {
      throw RunRefusals.staleApproval(field);
    }
  }
}
