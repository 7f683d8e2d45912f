package io.fengyu.agent.run;

import io.fengyu.agent.file.RunFiles;
import io.fengyu.agent.guard.Guard;
import io.fengyu.agent.history.EarlierReceipts;
import io.fengyu.agent.model.ModelCalls;
import io.fengyu.agent.plan.Briefing;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.turn.ToolConcurrency;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Puts together what a run needs to talk to a model; nothing of it outlives the run. */
@ApplicationScoped
class DirectRuns {

  private final Guard guard;
  private final RunFiles files;
  private final ModelCalls models;
  private final Briefing briefing;
  private final EarlierReceipts receipts;
  private final ToolConcurrency concurrency;
  private final Duration answersWithin;

  DirectRuns(
      Guard guard,
      RunFiles files,
      ModelCalls models,
      Briefing briefing,
      EarlierReceipts receipts,
      ToolConcurrency concurrency,
      @ConfigProperty(name = "fengyu.runs.answer-timeout", defaultValue = "10m")
          Duration answersWithin) {
    this.guard = guard;
    this.files = files;
    this.models = models;
    this.briefing = briefing;
    this.receipts = receipts;
    this.concurrency = concurrency;
    this.answersWithin = answersWithin;
  }

  /** A run without a plan. */
  DirectRun direct(RunScope scope, RunEnds ends) {
    var places = new PlacesOnce(scope.work(), files);
    var judge = new CallJudge(scope, guard, places);
    var tools = new ToolCalls(scope, files, places, guard.scopes());
    var offered = offered(scope.work());
    var earlier = StoredCalls.of(receipts, scope.work(), true);
    var turn = new DirectTurn(scope, offered, judge, tools, places, earlier, concurrency.limit());
    return new DirectRun(scope, ends, turn, model(scope), offered);
  }

  /** The model of a run. */
  RunModel model(RunScope scope) {
    return new RunModel(scope, models, briefing, answersWithin);
  }

  private static Map<String, Tool> offered(RunWork work) {
    var offered = new LinkedHashMap<String, Tool>();
    work.tools()
        .forEach(
            (name, tool) -> {
              boolean allowed = !work.options().readOnly() || tool.spec().readsOnly();
              if (allowed && RunModel.offerable(name)) {
                offered.put(name, tool);
              }
            });
    return offered;
  }
}
