package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.file.RunFiles;
import io.fengyu.agent.journal.NewRun;
import io.fengyu.agent.journal.RunLog;
import io.fengyu.agent.journal.RunProblems;
import io.fengyu.agent.journal.RunStatus;
import io.fengyu.agent.journal.RunStore;
import io.fengyu.agent.journal.StoredRun;
import io.fengyu.agent.plan.Planner;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolCatalog;
import io.fengyu.contract.plan.AgentPlan;
import io.fengyu.contract.plan.CompiledPlan;
import io.fengyu.contract.plan.InputBinding;
import io.fengyu.contract.plan.PlanReader.ReadPlan;
import io.fengyu.contract.plan.UnresolvedReferenceException;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Starts runs and stops them. */
@ApplicationScoped
class Runs {

  private static final Logger LOG = Logger.getLogger(Runs.class);
  private static final ReadPlan NO_PLAN_YET =
      new ReadPlan(new AgentPlan(null, null, List.of(), Map.of()), List.of(), List.of());

  private final RunStore store;
  private final RunFiles files;
  private final ToolCatalog catalog;
  private final Executions executions;
  private final StartClaims claims;
  private final Planner planner;
  private final Clock clock;

  Runs(
      RunStore store,
      RunFiles files,
      ToolCatalog catalog,
      Executions executions,
      StartClaims claims,
      Planner planner,
      Clock clock) {
    this.store = store;
    this.files = files;
    this.catalog = catalog;
    this.executions = executions;
    this.claims = claims;
    this.planner = planner;
    this.clock = clock;
  }

  /**
   * A run that was started.
   *
   * @param replayed true when an earlier request with the same id had started it
   */
  record Started(UUID runId, RunStatus status, int generation, boolean replayed) {}

  /** Starts a run; emits as soon as it is stored, long before it ends. */
  Uni<Started> start(String owner, @Nullable JsonNode body) {
    var request = StartRequest.read(body);
    var runId = RunIds.next(clock);
    var requestId = request.requestId();
    if (requestId == null) {
      return begin(owner, runId, request);
    }
    return claims
        .claim(owner, requestId, request.fingerprint(), runId)
        .chain(
            claim ->
                claim.ours()
                    ? begin(owner, runId, request)
                        .onFailure()
                        .call(() -> claims.giveUp(owner, requestId, runId))
                        .call(() -> stopIfCancelled(owner, runId))
                    : replayed(owner, claim.runId()));
  }

  /** A cancel that came between the run's row and its executor found nobody to tell. */
  private Uni<Void> stopIfCancelled(String owner, UUID runId) {
    return store
        .find(owner, runId)
        .invoke(
            run -> {
              if (run != null && run.cancelStatus() != StoredRun.CancelStatus.NONE) {
                executions.cancelRequested(runId);
              }
            })
        .onFailure()
        .invoke(failure -> LOG.warnf("Cancels of run %s are read later: %s", runId, failure))
        .onFailure()
        .recoverWithNull()
        .replaceWithVoid();
  }

  private Uni<Started> begin(String owner, UUID runId, StartRequest request) {
    return plannable(owner, request)
        .chain(() -> files.grant(owner, runId, request.files()))
        .chain(() -> catalog.snapshot(owner))
        .chain(tools -> create(owner, runId, request, tools))
        .replaceWith(new Started(runId, RunStatus.PLANNING, 1, false));
  }

  /** Nothing is stored for a run that needs a model while there is none. */
  private Uni<Void> plannable(String owner, StartRequest request) {
    return request.plan() == null
        ? planner.ready(owner, request.options().model())
        : Uni.createFrom().voidItem();
  }

  private Uni<Void> create(
      String owner, UUID runId, StartRequest request, Map<String, Tool> tools) {
    var supplied = request.plan();
    var planJson = supplied == null ? null : supplied.plan().toJson();
    return store
        .create(newRun(owner, runId, request, planJson))
        .onFailure()
        .call(() -> files.forget(runId))
        .invoke(log -> launch(work(owner, request, tools, log), supplied != null, log))
        .replaceWithVoid();
  }

  private void launch(RunWork work, boolean planSupplied, RunLog log) {
    if (planSupplied) {
      executions.start(work, log);
    } else {
      executions.plan(work, log);
    }
  }

  private NewRun newRun(
      String owner, UUID runId, StartRequest request, @Nullable ObjectNode planJson) {
    return new NewRun(
        runId,
        owner,
        request.sessionId(),
        request.goal(),
        request.options().toJson(),
        planJson,
        request.inputs().isEmpty() ? null : request.inputs(),
        null,
        "sandboxed",
        claims.kept(request.requestId()));
  }

  private static RunWork work(
      String owner, StartRequest request, Map<String, Tool> tools, RunLog log) {
    var plan = request.plan() == null ? NO_PLAN_YET : request.plan();
    return new RunWork(
        log.runId(),
        owner,
        request.sessionId(),
        request.goal(),
        goal(request.goal(), request.inputs()),
        request.options(),
        CompiledPlan.of(plan.plan()),
        plan.plan().toJson(),
        plan.problems(),
        request.inputs(),
        tools,
        log.generation());
  }

  /** The goal as people read it; as written when an input is missing. */
  static String goal(String written, ObjectNode inputs) {
    try {
      return InputBinding.goal(written, inputs);
    } catch (UnresolvedReferenceException e) {
      return written;
    }
  }

  /** Starts several runs, each for itself; when one cannot be read, none begins. */
  Uni<List<UUID>> startAll(String owner, List<? extends JsonNode> bodies) {
    var requests = bodies.stream().map(StartRequest::read).toList();
    return plannable(owner, requests.getFirst())
        .chain(() -> beginAll(owner, requests))
        .map(runs -> runs.stream().map(Started::runId).toList());
  }

  private Uni<List<Started>> beginAll(String owner, List<StartRequest> requests) {
    var starts =
        requests.stream().map(request -> begin(owner, RunIds.next(clock), request)).toList();
    return Uni.join().all(starts).andCollectFailures();
  }

  private Uni<Started> replayed(String owner, UUID runId) {
    return store
        .find(owner, runId)
        .map(run -> known(run, runId))
        .map(run -> new Started(runId, run.status(), run.generation(), true));
  }

  /** Asks for an end; emits the run as it is after the request. */
  Uni<StoredRun> cancel(String owner, UUID runId) {
    return store.cancel(owner, runId).map(run -> known(run, runId));
  }

  /**
   * The run, if there is one.
   *
   * @throws io.fengyu.contract.problem.ProblemException 404 when there is none
   */
  static StoredRun known(@Nullable StoredRun run, UUID runId) {
    if (run == null) {
      throw RunProblems.notFound(runId.toString());
    }
    return run;
  }
}
