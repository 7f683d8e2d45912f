package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.journal.CancelEvents;
import io.fengyu.agent.journal.Change;
import io.fengyu.agent.journal.EventType;
import io.fengyu.agent.journal.RunLog;
import io.fengyu.agent.journal.RunLog.Entry;
import io.fengyu.agent.journal.RunStatus;
import io.fengyu.agent.journal.RunStore;
import io.fengyu.agent.journal.RunStore.Continued;
import io.fengyu.agent.journal.StoredRun;
import io.fengyu.agent.run.StepHistory.Recorded;
import io.fengyu.contract.plan.CompiledPlan;
import io.fengyu.contract.plan.PlanReader.ReadPlan;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Takes decisions about open gates, and lets the run go on, here, whoever paused it. */
@ApplicationScoped
class Approvals {

  private final RunStore store;
  private final PausedRuns pausedRuns;
  private final Executions executions;

  Approvals(RunStore store, PausedRuns pausedRuns, Executions executions) {
    this.store = store;
    this.pausedRuns = pausedRuns;
    this.executions = executions;
  }

  /**
   * What became of a decision.
   *
   * @param already true when it had been taken before
   */
  record Resolved(UUID runId, RunStatus status, int generation, boolean already) {}

  /** Decides about the open gate of a run. */
  Uni<Resolved> resolve(String owner, UUID runId, @Nullable JsonNode body) {
    return resolve(owner, runId, Decision.read(body), true);
  }

  private Uni<Resolved> resolve(String owner, UUID runId, Decision decision, boolean again) {
    return store
        .find(owner, runId)
        .map(run -> Runs.known(run, runId))
        .chain(
            run ->
                GateMatch.repeats(run, decision)
                    ? Uni.createFrom().item(answer(run, true))
                    : decide(GateMatch.checked(run, decision), decision, again));
  }

  private static Resolved answer(StoredRun run, boolean already) {
    return new Resolved(run.id(), run.status(), run.generation(), already);
  }

  private Uni<Resolved> decide(StoredRun run, Decision decision, boolean again) {
    return pausedRuns.of(run).chain(paused -> release(paused, decision, again));
  }

  private Uni<Resolved> release(PausedRun paused, Decision decision, boolean again) {
    var run = paused.run();
    var plan = EditedPlan.of(paused, decision);
    return store
        .release(run.owner(), run.id(), paused.gateId(), run.generation(), decision.key())
        .chain(
            continued -> {
              if (continued == null) {
                return overtaken(run, decision, again);
              }
              return proceed(paused, decision, plan, continued);
            });
  }

  /** Somebody else decided, or cancelled, in the meantime: look once more. */
  private Uni<Resolved> overtaken(StoredRun run, Decision decision, boolean again) {
    if (!again) {
      throw RunRefusals.staleApproval("gateId");
    }
    return resolve(run.owner(), run.id(), decision, false);
  }

  private Uni<Resolved> proceed(
      PausedRun paused, Decision decision, ReadPlan plan, Continued continued) {
    var work = work(paused, plan, continued);
    var resolved = Resolution.of(paused, decision, work);
    record(resolved, decision, work, continued.log());
    if (decision.kind() == Decision.Kind.REJECT && !paused.atStep()) {
      return endRejected(continued).invoke(() -> executions.endedAtGate(continued.run()));
    }
    if (paused.talk() != null) {
      var callId = paused.gate().path("tool_call_id").asText();
      executions.resumeDirect(
          work, paused.talk(), decision, callId, continued.log(), paused.used());
      return Uni.createFrom().item(answer(continued.run(), false));
    }
    executions.resume(
        work,
        state(paused, decision, resolved, work),
        continued.log(),
        StepHistory.replans(paused.history()),
        paused.used());
    return Uni.createFrom().item(answer(continued.run(), false));
  }

  private static RunWork work(PausedRun paused, ReadPlan plan, Continued continued) {
    var run = continued.run();
    var inputs = PausedRun.inputs(run);
    return new RunWork(
        run.id(),
        run.owner(),
        run.sessionId(),
        run.goal(),
        Runs.goal(run.goal(), inputs),
        RunOptions.stored(Json.stored(run.config())),
        CompiledPlan.of(plan.plan()),
        plan.plan().toJson(),
        List.of(),
        inputs,
        paused.tools(),
        run.generation(),
        RunWork.Origin.of(run));
  }

  private static RunState state(
      PausedRun paused, Decision decision, ObjectNode resolved, RunWork work) {
    var history = new ArrayList<>(paused.history());
    history.add(new Recorded(EventType.APPROVAL_RESOLVED.wire(), resolved, Instant.EPOCH));
    var runs = StepHistory.fold(work.plan(), history);
    if (paused.atStep() && paused.step() < runs.size()) {
      var run = runs.get(paused.step());
      if (decision.kind() == Decision.Kind.REJECT) {
        run.reject();
      } else {
        // With a changed secret, which the history does not hold.
        run.approve(decision.patchedArgs());
      }
    }
    return new RunState(work.plan(), work.inputs(), work.tools(), runs);
  }

  private static void record(ObjectNode resolved, Decision decision, RunWork work, RunLog log) {
    List<Change> changes =
        decision.plan() == null ? List.of() : List.of(new Change.Plan(work.planJson()));
    log.append(List.of(new Entry(EventType.APPROVAL_RESOLVED, resolved)), changes);
  }

  private static Uni<Resolved> endRejected(Continued continued) {
    var log = continued.log();
    log.append(CancelEvents.last(log.runId()), List.of(CancelEvents.END));
    return Uni.createFrom()
        .completionStage(log::durable)
        .replaceWith(new Resolved(log.runId(), RunStatus.CANCELLED, log.generation(), false));
  }
}
