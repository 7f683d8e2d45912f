package io.fengyu.agent.run;

import io.fengyu.agent.journal.StoredRun;
import io.fengyu.contract.plan.PlanProblem;
import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** What a caller can be refused about a run. */
final class RunRefusals {

  private RunRefusals() {}

  static ProblemException body(String field, String expected) {
    return Problem.of(400, "RUN_BODY_INVALID")
        .with("field", field)
        .with("expected", expected)
        .asFailure();
  }

  static ProblemException config(String field, String allowed) {
    return Problem.of(400, "RUN_CONFIG_INVALID")
        .with("field", field)
        .with("allowed", allowed)
        .asFailure();
  }

  static ProblemException permissionMode(String value) {
    return Problem.of(400, "PERMISSION_MODE_UNKNOWN").with("value", value).asFailure();
  }

  static ProblemException goalMissing() {
    return Problem.of(400, "GOAL_MISSING").asFailure();
  }

  static ProblemException batchSize(int max) {
    return Problem.of(400, "BATCH_SIZE").with("max", max).asFailure();
  }

  static ProblemException cancelConflict(String cancelRequestId) {
    return Problem.of(409, "CANCEL_REQUEST_CONFLICT")
        .with("cancel_request_id", cancelRequestId)
        .asFailure();
  }

  static ProblemException cancelUnknown(String cancelRequestId) {
    return Problem.of(404, "CANCEL_REQUEST_NOT_FOUND")
        .with("cancel_request_id", cancelRequestId)
        .asFailure();
  }

  static ProblemException cancelNotConfirmed(String cancelRequestId) {
    return Problem.of(503, "CANCEL_NOT_CONFIRMED")
        .with("cancel_request_id", cancelRequestId)
        .retryAfter(Duration.ofSeconds(1))
        .asFailure();
  }

  static ProblemException cancelDisabled() {
    return Problem.of(409, "CAPABILITY_DISABLED").with("capability", "run_cancel_v1").asFailure();
  }

  static ProblemException decisionUnknown(String decision) {
    return Problem.of(400, "DECISION_UNKNOWN").with("decision", decision).asFailure();
  }

  static ProblemException decisionMissing() {
    return Problem.of(400, "DECISION_MISSING").asFailure();
  }

  static ProblemException severalDecisions() {
    return Problem.of(409, "MULTIPLE_PENDING_UNSUPPORTED").asFailure();
  }

  static ProblemException nothingPending(UUID runId) {
    return Problem.of(409, "NO_PENDING_APPROVAL").with("runId", runId.toString()).asFailure();
  }

  static ProblemException staleApproval(String field) {
    return Problem.of(409, "STALE_APPROVAL").with("field", field).asFailure();
  }

  static ProblemException staleGeneration(int current) {
    return Problem.of(409, "STALE_GENERATION").with("execution_generation", current).asFailure();
  }

  static ProblemException invalidPlan(List<PlanProblem> problems) {
    return Problem.of(400, "INVALID_PLAN")
        .with("reason", StepEvents.invalidPlanMessage(problems))
        .with("problems", problems)
        .asFailure();
  }

  static ProblemException planEditConflict(int step) {
    return Problem.of(409, "PLAN_EDIT_CONFLICT").with("step", step).asFailure();
  }

  static ProblemException notOver(StoredRun run) {
    return Problem.of(409, "RUN_NOT_OVER")
        .with("runId", run.id().toString())
        .with("status", run.status().name())
        .asFailure();
  }

  static ProblemException nothingToResume(UUID runId) {
    return Problem.of(409, "RUN_COMPLETED").with("runId", runId.toString()).asFailure();
  }

  static ProblemException noPlan(UUID runId) {
    return Problem.of(409, "RUN_WITHOUT_PLAN").with("runId", runId.toString()).asFailure();
  }

  static ProblemException postureWeakened(UUID runId) {
    return Problem.of(409, "SANDBOX_POSTURE_WEAKENED").with("runId", runId.toString()).asFailure();
  }
}
