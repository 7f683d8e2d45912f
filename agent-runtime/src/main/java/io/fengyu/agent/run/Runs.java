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
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolCatalog;
import io.fengyu.contract.plan.CompiledPlan;
import io.fengyu.contract.plan.InputBinding;
import io.fengyu.contract.plan.PlanReader.ReadPlan;
import io.fengyu.contract.plan.UnresolvedReferenceException;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.Map;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Starts runs and stops them. */
@ApplicationScoped
class Runs {

  private static final Logger LOG = Logger.getLogger(Runs.class);

  private final RunStore store;
  private final RunFiles files;
  private final ToolCatalog catalog;
  private final Executions executions;
  private final StartClaims claims;
  private final Clock clock;

  Runs(
      RunStore store,
      RunFiles files,
      ToolCatalog catalog,
      Executions executions,
      StartClaims claims,
      Clock clock) {
    this.store = store;
    this.files = files;
    this.catalog = catalog;
    this.executions = executions;
    this.claims = claims;
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
    return files
        .grant(owner, runId, request.files())
        .chain(() -> catalog.snapshot(owner))
        .chain(tools -> create(owner, runId, request, tools))
        .replaceWith(new Started(runId, RunStatus.PLANNING, 1, false));
  }

  private Uni<Void> create(
      String owner, UUID runId, StartRequest request, Map<String, Tool> tools) {
    var plan = request.plan();
    if (plan == null) {
      throw RunRefusals.noModel();
    }
    var planJson = plan.plan().toJson();
    return store
        .create(newRun(owner, runId, request, planJson))
        .onFailure()
        .call(() -> files.forget(runId))
        .invoke(log -> executions.start(work(owner, request, plan, planJson, tools, log), log))
        .replaceWithVoid();
  }

  private static NewRun newRun(
      String owner, UUID runId, StartRequest request, ObjectNode planJson) {
    return new NewRun(
        runId,
        owner,
        request.sessionId(),
        request.goal(),
        request.options().toJson(),
        planJson,
        request.inputs().isEmpty() ? null : request.inputs(),
        null,
        "sandboxed");
  }

  private static RunWork work(
      String owner,
      StartRequest request,
      ReadPlan plan,
      ObjectNode planJson,
      Map<String, Tool> tools,
      RunLog log) {
    return new RunWork(
        log.runId(),
        owner,
        request.sessionId(),
        request.goal(),
        goal(request.goal(), request.inputs()),
        request.options(),
        CompiledPlan.of(plan.plan()),
        planJson,
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
