package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.file.RunFiles;
import io.fengyu.agent.job.LeftJobs;
import io.fengyu.agent.journal.NewRun;
import io.fengyu.agent.journal.RunLog;
import io.fengyu.agent.journal.RunProblems;
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
import io.fengyu.contract.start.Settlement;
import io.fengyu.contract.start.StartClaim;
import io.fengyu.contract.start.StartKey;
import io.fengyu.contract.start.Starts;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Starts runs and stops them. */
@ApplicationScoped
class Runs {

  private static final Logger LOG = Logger.getLogger(Runs.class);

  /** Stands in until a model has made one, or for good. */
  static final ReadPlan NO_PLAN_YET =
      new ReadPlan(new AgentPlan(null, null, List.of(), Map.of()), List.of(), List.of());

  private final RunStore store;
  private final RunFiles files;
  private final ToolCatalog catalog;
  private final Executions executions;
  private final StartRequests startRequests;
  private final Starts starts;
  private final Planner planner;
  private final SandboxPosture posture;
  private final BudgetSettings budgets;
  private final LeftJobs leftJobs;
  private final Clock clock;

  Runs(
      RunStore store,
      RunFiles files,
      ToolCatalog catalog,
      Executions executions,
      StartRequests startRequests,
      Starts starts,
      Planner planner,
      SandboxPosture posture,
      BudgetSettings budgets,
      LeftJobs leftJobs,
      Clock clock) {
    this.store = store;
    this.files = files;
    this.catalog = catalog;
    this.executions = executions;
    this.startRequests = startRequests;
    this.starts = starts;
    this.planner = planner;
    this.posture = posture;
    this.budgets = budgets;
    this.leftJobs = leftJobs;
    this.clock = clock;
  }

  /**
   * Starts a run; emits as soon as it is stored, long before it ends.
   *
   * @param claims must be held when the run is made
   */
  Uni<RunStarted> start(String owner, @Nullable JsonNode body, List<StartClaim> claims) {
    return start(owner, StartRequest.read(body), claims);
  }

  /** Starts a run inside a tool call that was permitted. */
  Uni<RunStarted> startInside(String owner, StartRequest request, @Nullable String session) {
    return begin(owner, request.inside(session), List.of());
  }

  /**
   * Starts the run of a background task, or finds the one that was started before.
   *
   * @param key of the task
   */
  Uni<RunStarted> startTask(String owner, StartKey key, StartRequest request) {
    return starts.within(
        List.of(),
        key,
        claims -> begin(owner, request, claims),
        before -> replayed(owner, before.subject()));
  }

  private Uni<RunStarted> start(String owner, StartRequest request, List<StartClaim> claims) {
    var requestId = startRequests.counted(request.requestId());
    if (requestId == null) {
      return begin(owner, request, claims);
    }
    return starts
        .within(
            claims,
            startRequests.key(owner, requestId, request.fingerprint(claims)),
            all ->
                begin(owner, request, all).call(started -> stopIfCancelled(owner, started.runId())),
            before -> replayed(owner, before.subject()))
        .invoke(started -> startRequests.began(owner, requestId, started.runId()));
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

  private Uni<RunStarted> begin(String owner, StartRequest request, List<StartClaim> claims) {
    var runId = RunIds.next(clock);
    var started = RunStarted.anew(runId);
    var settlement = new Settlement(claims, starts.text(started));
    return plannable(owner, request)
        .chain(() -> files.grant(owner, runId, request.files()))
        .chain(() -> budgets.of(owner))
        .map(request::within)
        .chain(limited -> create(owner, runId, limited, settlement))
        .replaceWith(started);
  }

  /** Nothing is stored for a run that needs a model while there is none. */
  private Uni<Void> plannable(String owner, StartRequest request) {
    return request.plan() == null || request.options().lastWordIsTheModels()
        ? planner.ready(owner, request.options().model())
        : Uni.createFrom().voidItem();
  }

  private Uni<Void> create(String owner, UUID runId, StartRequest request, Settlement settlement) {
    return catalog
        .snapshot(owner)
        .chain(
            tools ->
                posture
                    .profile(owner)
                    .chain(
                        profile -> store.create(newRun(owner, runId, request, profile, settlement)))
                    .invoke(log -> launch(owner, request, tools, log)))
        .onFailure()
        .call(() -> files.forget(runId))
        .replaceWithVoid();
  }

  private void launch(String owner, StartRequest request, Map<String, Tool> tools, RunLog log) {
    var work = work(owner, request, tools, log);
    if (request.plan() != null) {
      executions.start(work, log);
    } else if (request.options().plansFirst()) {
      executions.plan(work, log);
    } else {
      executions.direct(work, log);
    }
  }

  private static NewRun newRun(
      String owner,
      UUID runId,
      StartRequest request,
      String profile,
      @Nullable Settlement settlement) {
    var supplied = request.plan();
    return new NewRun(
        runId,
        owner,
        request.sessionId(),
        request.goal(),
        request.options().toJson(),
        supplied == null ? null : supplied.plan().toJson(),
        request.inputs().isEmpty() ? null : request.inputs(),
        null,
        profile,
        request.options().startedBy().unattended(),
        settlement);
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
        log.generation(),
        RunWork.Origin.fresh(log.runId()));
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
  Uni<BatchStarted> startAll(
      String owner, List<? extends JsonNode> bodies, List<StartClaim> claims) {
    var written =
        bodies.stream()
            .map(StartRequest::read)
            .map(request -> request.startedBy(StartedBy.BATCH))
            .toList();
    return plannable(owner, written.getFirst())
        .chain(() -> budgets.of(owner))
        .map(limits -> written.stream().map(request -> request.within(limits)).toList())
        .chain(requests -> beginAll(owner, requests, claims));
  }

  private Uni<BatchStarted> beginAll(
      String owner, List<StartRequest> requests, List<StartClaim> claims) {
    var ids = requests.stream().map(request -> RunIds.next(clock)).toList();
    var started = new BatchStarted(ids);
    return catalog
        .snapshot(owner)
        .call(
            tools ->
                posture
                    .profile(owner)
                    .map(profile -> newRuns(owner, requests, profile, started, claims))
                    .chain(store::createAll)
                    .invoke(logs -> launchAll(owner, requests, tools, logs)))
        .replaceWith(started);
  }

  // The last one brings the claims: they are settled when all the others are made.
  private List<NewRun> newRuns(
      String owner,
      List<StartRequest> requests,
      String profile,
      BatchStarted started,
      List<StartClaim> claims) {
    var runs = new ArrayList<NewRun>();
    var settlement = new Settlement(claims, starts.text(started));
    for (var i = 0; i < requests.size(); i++) {
      var last = i == requests.size() - 1;
      var runId = started.runIds().get(i);
      runs.add(newRun(owner, runId, requests.get(i), profile, last ? settlement : null));
    }
    return runs;
  }

  private void launchAll(
      String owner, List<StartRequest> requests, Map<String, Tool> tools, List<RunLog> logs) {
    for (var i = 0; i < logs.size(); i++) {
      launch(owner, requests.get(i), tools, logs.get(i));
    }
  }

  private Uni<RunStarted> replayed(String owner, @Nullable UUID runId) {
    var known = Objects.requireNonNull(runId);
    return store
        .find(owner, known)
        .map(run -> known(run, known))
        .map(run -> new RunStarted(known, run.status(), run.generation(), true));
  }

  /** Asks for an end; emits the run as it is after the request. */
  Uni<StoredRun> cancel(String owner, UUID runId) {
    return store.cancel(owner, runId).map(run -> known(run, runId)).call(leftJobs::endOf);
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
