package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.guard.Guard;
import io.fengyu.agent.guard.HookGate;
import io.fengyu.agent.guard.Subject;
import io.fengyu.agent.guard.Verdict;
import io.fengyu.agent.guard.Verdict.Decision;
import io.fengyu.agent.tool.Sensitive;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolCatalog;
import io.fengyu.agent.tool.ToolSpec;
import io.fengyu.agent.turn.ResourceName;
import io.fengyu.agent.turn.Touch;
import io.fengyu.contract.plan.AgentStep;
import io.fengyu.contract.plan.CompiledPlan;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Judges a plan as a whole before any of it runs. No tool, hook or model is called; schedules and
 * triggers are judged by the same.
 */
@ApplicationScoped
class DryRun {

  private final ToolCatalog catalog;
  private final Guard guard;
  private final HookGate hooks;

  DryRun(ToolCatalog catalog, Guard guard, HookGate hooks) {
    this.catalog = catalog;
    this.guard = guard;
    this.hooks = hooks;
  }

  /** A start that would be made, and the tools it would find. */
  record Wish(StartRequest request, Map<String, Tool> tools) {}

  /** Reads the body of a start. */
  Uni<Wish> wish(String owner, @Nullable JsonNode body) {
    var request = StartRequest.read(body);
    if (request.plan() == null) {
      throw RunRefusals.body("workflow", "a plan, as no model is asked for one here");
    }
    return catalog.snapshot(owner).map(tools -> new Wish(request, tools));
  }

  /** Tells what would happen. The thread may wait for rules to be read. */
  Foreseen foresee(String owner, Wish wish) {
    var request = wish.request();
    var read = Objects.requireNonNull(request.plan());
    var plan = CompiledPlan.of(read.plan());
    var options = request.options();
    var problems =
        RunPlanChecks.check(
            plan, read.problems(), options, wish.tools(), request.inputs(), request.goal());
    var subject = Subject.of(owner, options.permissionMode()).readingOnly(options.readOnly());
    var steps = new ArrayList<Foreseen.Step>(plan.steps().size());
    for (var compiled : plan.steps()) {
      var known = new KnownValues(plan, request.inputs(), compiled.step().index());
      var args = compiled.args().resolve(known);
      var tool = wish.tools().get(compiled.step().toolName());
      steps.add(
          tool == null
              ? unknown(compiled.step(), args, known)
              : step(subject, options, compiled.step(), tool.spec(), args, known));
    }
    int asks = (int) steps.stream().filter(step -> step.is(Decision.ASK)).count();
    int denies = (int) steps.stream().filter(step -> step.is(Decision.DENY)).count();
    boolean unattended =
        problems.isEmpty() && asks == 0 && denies == 0 && !options.requirePlanApproval();
    return new Foreseen(
        problems.isEmpty(),
        problems,
        levels(plan),
        steps,
        asks,
        denies,
        hooks.names(owner, called(plan)),
        unattended);
  }

  private static Foreseen.Step unknown(AgentStep step, ObjectNode args, KnownValues known) {
    return new Foreseen.Step(
        step.index(), step.toolName(), null, null, null, args, known.missing(), false, null, null);
  }

  private Foreseen.Step step(
      Subject subject,
      RunOptions options,
      AgentStep step,
      ToolSpec tool,
      ObjectNode args,
      KnownValues known) {
    var touch = Touch.of(tool, args) instanceof Touch.Named named ? named : null;
    var verdict = verdict(subject, step, tool, args, !known.missing().isEmpty());
    boolean flagged =
        verdict.decision() == Decision.ALLOW
            && step.pinnedResult() == null
            && options.pausesAt(step.requiresApproval());
    return new Foreseen.Step(
        step.index(),
        step.toolName(),
        tool.effect(),
        flagged ? Decision.ASK : verdict.decision(),
        flagged ? flag(step) : verdict.reason(),
        Sensitive.masked(args, tool.inputSchema()),
        known.missing(),
        tool.retrySafe(),
        touch == null ? null : names(touch.reads()),
        touch == null ? null : names(touch.writes()));
  }

  private static String flag(AgentStep step) {
    return step.requiresApproval() ? "the step requires approval" : "every step requires approval";
  }

  private Verdict verdict(
      Subject subject, AgentStep step, ToolSpec tool, ObjectNode args, boolean open) {
    return step.pinnedResult() == null
        ? guard.foresee(subject, tool, args, open)
        : Verdict.of(Decision.ALLOW, Verdict.Stage.MODE, null, "pinned result, nothing is called");
  }

  private static List<String> names(List<ResourceName> names) {
    return names.stream().map(ResourceName::text).toList();
  }

  private static List<String> called(CompiledPlan plan) {
    return plan.steps().stream()
        .filter(step -> step.step().pinnedResult() == null)
        .map(step -> step.step().toolName())
        .distinct()
        .toList();
  }

  /** Each step one level below the lowest it waits for. */
  private static List<List<Integer>> levels(CompiledPlan plan) {
    var levels = new ArrayList<List<Integer>>();
    var levelOf = new int[plan.steps().size()];
    for (int i = 0; i < levelOf.length; i++) {
      for (int on : plan.steps().get(i).dependencies()) {
        levelOf[i] = Math.max(levelOf[i], levelOf[on] + 1);
      }
      while (levels.size() <= levelOf[i]) {
        levels.add(new ArrayList<>());
      }
      levels.get(levelOf[i]).add(i);
    }
    return levels;
  }
}
