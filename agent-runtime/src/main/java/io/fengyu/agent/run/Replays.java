package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.file.RunFiles;
import io.fengyu.agent.history.Times;
import io.fengyu.agent.job.LeftJobs;
import io.fengyu.agent.journal.Lineage;
import io.fengyu.agent.journal.Lineage.Inherited;
import io.fengyu.agent.journal.NewRun;
import io.fengyu.agent.journal.RunLog;
import io.fengyu.agent.journal.RunStatus;
import io.fengyu.agent.journal.RunStore;
import io.fengyu.agent.journal.StoredRun;
import io.fengyu.agent.run.RunWork.Origin;
import io.fengyu.agent.run.StepHistory.Recorded;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolCatalog;
import io.fengyu.contract.plan.AgentPlan;
import io.fengyu.contract.plan.CompiledPlan;
import io.fengyu.contract.plan.PlanProblem;
import io.fengyu.contract.plan.PlanReader;
import io.fengyu.contract.start.Settlement;
import io.fengyu.contract.start.StartClaim;
import io.fengyu.contract.start.Starts;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Starts runs that take over the plan of an earlier one; a person reviews it before anything. */
@ApplicationScoped
class Replays {

  private final RunStore store;
  private final StepHistory history;
  private final RunFiles files;
  private final ToolCatalog catalog;
  private final Executions executions;
  private final SandboxPosture posture;
  private final Starts starts;
  private final LeftJobs leftJobs;
  private final Clock clock;

  Replays(
      RunStore store,
      StepHistory history,
      RunFiles files,
      ToolCatalog catalog,
      Executions executions,
      SandboxPosture posture,
      Starts starts,
      LeftJobs leftJobs,
      Clock clock) {
    this.store = store;
    this.history = history;
    this.files = files;
    this.catalog = catalog;
    this.executions = executions;
    this.posture = posture;
    this.starts = starts;
    this.leftJobs = leftJobs;
    this.clock = clock;
  }

  /** An earlier run, and what the new one takes over from it. */
  private record Source(
      StoredRun run,
      Replay replay,
      String profile,
      AgentPlan plan,
      List<PlanProblem> problems,
      List<Recorded> done) {

    CompiledPlan compiled() {
      return CompiledPlan.of(plan);
    }

    ObjectNode inputs() {
      var inputs = run.inputs();
      return inputs == null ? JsonNodeFactory.instance.objectNode() : Json.stored(inputs);
    }

    UUID home() {
      return Origin.of(run).home();
    }

    Origin origin(UUID runId) {
      return new Origin(run.id(), replay.inherits() ? home() : runId);
    }

    Lineage lineage() {
      return new Lineage(
          run.id(),
          replay.inherits(),
          replay.inherits() ? home() : null,
          done.stream().map(step -> new Inherited(step.data().toString())).toList());
    }
  }

  /**
   * Starts a run from the plan of an earlier one; emits as soon as it is stored.
   *
   * @param claims must be held when the run is made
   */
  Uni<RunStarted> start(String owner, UUID runId, Replay replay, List<StartClaim> claims) {
    return store
        .find(owner, runId)
        .map(run -> Runs.known(run, runId))
        .chain(run -> posture.profile(owner).chain(profile -> source(run, replay, profile)))
        .call(this::endLeft)
        .chain(source -> begin(source, claims));
  }

  // A job whose run was interrupted must not go on beside the run that takes its place.
  private Uni<Void> endLeft(Source source) {
    return source.replay().inherits() ? leftJobs.endOf(source.run()) : Uni.createFrom().voidItem();
  }

  private Uni<Source> source(StoredRun run, Replay replay, String profile) {
    if (SandboxPosture.weakened(run.sandboxProfile(), profile)) {
      throw RunRefusals.postureWeakened(run.id());
    }
    return ended(run, replay).chain(over -> read(over, replay, profile));
  }

  /**
   * The run, if it is over in the right way. One that is paused, and whose process has gone, is
   * closed by a resume.
   */
  private Uni<StoredRun> ended(StoredRun run, Replay replay) {
    if (run.plan() == null && !run.status().open()) {
      throw RunRefusals.noPlan(run.id());
    }
    if (replay.kind() == Replay.Kind.RESUME && run.gateId() != null) {
      return store
          .closeAbandoned(run.owner(), run.id())
          .map(
              closed -> {
                if (closed == null || closed.status() != RunStatus.CANCELLED) {
                  throw RunRefusals.notOver(run);
                }
                return closed;
              });
    }
    if (run.status().open()) {
      throw RunRefusals.notOver(run);
    }
    if (replay.kind() == Replay.Kind.RESUME && run.status() == RunStatus.COMPLETED) {
      throw RunRefusals.nothingToResume(run.id());
    }
    return Uni.createFrom().item(run);
  }

  private Uni<Source> read(StoredRun run, Replay replay, String profile) {
    var stored = run.plan();
    if (stored == null) {
      throw RunRefusals.noPlan(run.id());
    }
    var read = PlanReader.read(Json.stored(stored));
    var plan = replay.of(read.plan());
    var problems = read.problems().stream().filter(problem -> concerns(problem, plan)).toList();
    return history
        .of(run.id())
        .map(all -> new Source(run, replay, profile, plan, problems, done(run, replay, all)));
  }

  private static boolean concerns(PlanProblem problem, AgentPlan plan) {
    var step = problem.step();
    return step == null || step < plan.steps().size();
  }

  private static List<Recorded> done(StoredRun run, Replay replay, List<Recorded> history) {
    return StepHistory.completed(history).entrySet().stream()
        .filter(step -> step.getKey() < replay.keepSteps())
        .map(step -> inherited(run, step.getKey(), step.getValue()))
        .toList();
  }

  private static Recorded inherited(StoredRun run, int index, Recorded done) {
    var data = done.data().deepCopy().put("index", index).put("inherited", true);
    if (!data.has("inheritedFrom")) {
      data.put("inheritedFrom", run.id().toString());
      data.put("completedAt", Times.wire(done.at()));
    }
    return new Recorded(done.type(), data, done.at());
  }

  private Uni<RunStarted> begin(Source source, List<StartClaim> claims) {
    var owner = source.run().owner();
    var runId = RunIds.next(clock);
    var started = RunStarted.anew(runId);
    var settlement = new Settlement(claims, starts.text(started));
    return files
        .grant(owner, runId, source.replay().files())
        .chain(() -> catalog.snapshot(owner))
        .chain(tools -> create(source, runId, tools, settlement))
        .replaceWith(started);
  }

  private Uni<RunLog> create(
      Source source, UUID runId, Map<String, Tool> tools, Settlement settlement) {
    return store
        .create(newRun(source, runId, settlement))
        .onFailure()
        .call(() -> files.forget(runId))
        .invoke(log -> review(source, tools, log));
  }

  private void review(Source source, Map<String, Tool> tools, RunLog log) {
    var work = work(source, tools, log);
    var runs = StepHistory.fold(work.plan(), source.done());
    executions.review(work, new RunState(work.plan(), work.inputs(), tools, runs), log);
  }

  private static NewRun newRun(Source source, UUID runId, Settlement settlement) {
    var run = source.run();
    return new NewRun(
        runId,
        run.owner(),
        run.sessionId(),
        run.goal(),
        byCaller(run).toJson(),
        source.plan().toJson(),
        run.inputs() == null ? null : source.inputs(),
        source.lineage(),
        source.profile(),
        false,
        settlement);
  }

  /** Whoever has a run done again answers for it: nothing is inherited any more. */
  private static RunOptions byCaller(StoredRun run) {
    return RunOptions.stored(Json.stored(run.config())).startedBy(StartedBy.CALLER);
  }

  private static RunWork work(Source source, Map<String, Tool> tools, RunLog log) {
    var run = source.run();
    var inputs = source.inputs();
    return new RunWork(
        log.runId(),
        run.owner(),
        run.sessionId(),
        run.goal(),
        Runs.goal(run.goal(), inputs),
        byCaller(run),
        source.compiled(),
        source.plan().toJson(),
        source.problems(),
        inputs,
        tools,
        log.generation(),
        source.origin(log.runId()));
  }
}
