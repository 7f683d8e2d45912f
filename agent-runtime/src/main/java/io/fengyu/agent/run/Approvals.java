package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.history.Usage;
import io.fengyu.agent.history.Usages;
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
import io.fengyu.agent.tool.Sensitive;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolCatalog;
import io.fengyu.contract.plan.CompiledPlan;
import io.fengyu.contract.plan.PlanEdit;
import io.fengyu.contract.plan.PlanReader;
import io.fengyu.contract.plan.PlanReader.ReadPlan;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Takes decisions about open gates, and lets the run go on, here, whoever paused it. */
@ApplicationScoped
class Approvals {

  private final RunStore store;
  private final StepHistory history;
  private final DirectHistory talks;
  private final Usages usages;
  private final ToolCatalog catalog;
  private final Executions executions;

  Approvals(
      RunStore store,
      StepHistory history,
      DirectHistory talks,
      Usages usages,
      ToolCatalog catalog,
      Executions executions) {
    this.store = store;
    this.history = history;
    this.talks = talks;
    this.usages = usages;
    this.catalog = catalog;
    this.executions = executions;
  }

  /**
   * What became of a decision.
   *
   * @param already true when it had been taken before
   */
  record Resolved(UUID runId, RunStatus status, int generation, boolean already) {}

  /** A paused run with all that is needed to go on. */
  private record Paused(
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
  }

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
                repeats(run, decision)
                    ? Uni.createFrom().item(answer(run, true))
                    : decide(checked(run, decision), decision, again));
  }

  private static Resolved answer(StoredRun run, boolean already) {
    return new Resolved(run.id(), run.status(), run.generation(), already);
  }

  private static boolean repeats(StoredRun run, Decision decision) {
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
  private static StoredRun checked(StoredRun run, Decision decision) {
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

  private Uni<Resolved> decide(StoredRun run, Decision decision, boolean again) {
    return paused(run).chain(paused -> release(paused, decision, again));
  }

  // Everything is read before the gate is released: afterwards nothing may go wrong any more.
  private Uni<Paused> paused(StoredRun run) {
    var gateId = Objects.requireNonNull(run.gateId());
    var gate = Json.stored(Objects.requireNonNull(run.pendingGate()));
    return Uni.combine()
        .all()
        .unis(history.of(run.id()), talk(run), catalog.snapshot(run.owner()), usages.of(run.id()))
        .asTuple()
        .map(
            all ->
                new Paused(
                    run,
                    gateId,
                    gate,
                    all.getItem1(),
                    all.getItem2().orElse(null),
                    all.getItem3(),
                    all.getItem4()));
  }

  /** A run that never had a plan paused in its conversation with a model. */
  private Uni<Optional<DirectTalk>> talk(StoredRun run) {
    return run.plan() == null
        ? talks.of(run.id()).map(Optional::of)
        : Uni.createFrom().item(Optional.empty());
  }

  private Uni<Resolved> release(Paused paused, Decision decision, boolean again) {
    var run = paused.run();
    var plan = plan(paused, decision);
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

  private ReadPlan plan(Paused paused, Decision decision) {
    if (paused.run().plan() == null) {
      return unplanned(decision);
    }
    var stored = PlanReader.read(Json.stored(paused.run().plan()));
    return decision.plan() == null ? stored : edited(paused, decision.plan(), stored);
  }

  private static ReadPlan unplanned(Decision decision) {
    if (decision.plan() != null) {
      throw RunRefusals.body("steps", "absent: the run has no plan");
    }
    return Runs.NO_PLAN_YET;
  }

  private static ReadPlan edited(Paused paused, ObjectNode body, ReadPlan stored) {
    var read = PlanEdit.read(sent(body));
    var run = paused.run();
    var compiled = CompiledPlan.of(read.plan());
    var problems =
        RunPlanChecks.check(
            compiled,
            read.problems(),
            RunOptions.stored(Json.stored(run.config())),
            paused.tools(),
            inputs(run),
            run.goal());
    if (!problems.isEmpty()) {
      throw RunRefusals.invalidPlan(problems);
    }
    if (paused.atStep()) {
      checkUntouched(paused, read, stored);
    }
    return read;
  }

  private static boolean begun(StepRun run) {
    return !run.pending() || run.attempts() > 0;
  }

  /** The plan in a body, without what a gate says beside it. */
  private static ObjectNode sent(ObjectNode body) {
    var plan = body.deepCopy();
    plan.remove(List.of("gateId", "run_id", "tool_call_id", "tool_name", "generation", "decision"));
    for (var step : plan.path("steps")) {
      if (step instanceof ObjectNode object) {
        object.remove(StepEvents.ALREADY_DONE);
      }
    }
    return plan;
  }

  /** What has happened can't be edited. */
  private static void checkUntouched(Paused paused, ReadPlan edited, ReadPlan stored) {
    var before = stored.plan().steps();
    var after = edited.plan().steps();
    var runs = StepHistory.fold(CompiledPlan.of(stored.plan()), paused.history());
    for (int i = 0; i < before.size(); i++) {
      if (begun(runs.get(i))
          && (i >= after.size() || !KeptSteps.same(before.get(i), after.get(i)))) {
        throw RunRefusals.planEditConflict(i);
      }
    }
  }

  private static ObjectNode inputs(StoredRun run) {
    return run.inputs() == null ? JsonNodeFactory.instance.objectNode() : Json.stored(run.inputs());
  }

  private Uni<Resolved> proceed(
      Paused paused, Decision decision, ReadPlan plan, Continued continued) {
    var work = work(paused, plan, continued);
    var resolved = resolved(paused, decision, work);
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

  private static RunWork work(Paused paused, ReadPlan plan, Continued continued) {
    var run = continued.run();
    var inputs = inputs(run);
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
      Paused paused, Decision decision, ObjectNode resolved, RunWork work) {
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

  /** What the history will say of the decision. */
  private static ObjectNode resolved(Paused paused, Decision decision, RunWork work) {
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
      recordKept(data, decision.plan(), paused, work);
    }
    if (decision.patchedArgs() != null) {
      recordPatch(data, decision.patchedArgs(), paused, work);
    }
    return data;
  }

  /** Steps that were done before the plan was reviewed stay so where the reviewer left them. */
  private static void recordKept(ObjectNode data, ObjectNode sent, Paused paused, RunWork work) {
    var before =
        CompiledPlan.of(
            PlanReader.read(Json.stored(Objects.requireNonNull(paused.run().plan()))).plan());
    var runs = StepHistory.fold(before, paused.history());
    if (runs.stream().noneMatch(StepRun::settled)) {
      return;
    }
    var kept = data.putArray("kept");
    KeptSteps.of(before, PlanReader.readEdited(sent(sent)), work.plan(), runs)
        .forEach((index, was) -> kept.addObject().put("index", index).put("was", was));
  }

  private static void recordPatch(
      ObjectNode data, ObjectNode patched, Paused paused, RunWork work) {
    var tool = work.tools().get(paused.gate().path("toolName").asText());
    var shown = tool == null ? patched : Sensitive.masked(patched, tool.spec().inputSchema());
    data.set("patched_args", shown);
    data.put("patchedSecret", !shown.equals(patched));
  }

  private static Uni<Resolved> endRejected(Continued continued) {
    var log = continued.log();
    log.append(CancelEvents.last(log.runId()), List.of(CancelEvents.END));
    return Uni.createFrom()
        .completionStage(log::durable)
        .replaceWith(new Resolved(log.runId(), RunStatus.CANCELLED, log.generation(), false));
  }
}
