package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.guard.Guard;
import io.fengyu.agent.guard.RuleSet;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolSpec;
import io.fengyu.contract.plan.CompiledPlan;
import io.fengyu.contract.plan.PlanReader;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Executes one plan again and again over a log that forgets, with tools that do nothing. */
public final class ExecutorCost {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final RunWork work;
  private final Guard guard = new Guard(owner -> RuleSet.NONE, () -> false);

  private ExecutorCost(ObjectNode plan) {
    var runId = UUID.randomUUID();
    var read = PlanReader.read(plan);
    var options = RunOptions.stored(JSON.objectNode().put("permissionMode", "full-access"));
    this.work =
        new RunWork(
            runId,
            "bench",
            null,
            "bench",
            "bench",
            options,
            CompiledPlan.of(read.plan()),
            plan,
            read.problems(),
            JSON.objectNode(),
            Map.of("noop", new Noop()),
            1,
            RunWork.Origin.fresh(runId));
  }

  /** Each step takes a value out of the result of the one before. */
  public static ExecutorCost chain(int nodes) {
    var plan = JSON.objectNode();
    var steps = plan.putArray("steps");
    for (int i = 0; i < nodes; i++) {
      var args = steps.addObject().put("toolName", "noop").putObject("args");
      args.put("n", i == 0 ? "0" : "{{last.result.n}}").put("text", "constant");
    }
    return new ExecutorCost(plan);
  }

  /**
   * One step, then all others but the last at once, each with a value of the first, then the last.
   */
  public static ExecutorCost fan(int nodes) {
    var plan = JSON.objectNode();
    var steps = plan.putArray("steps");
    steps.addObject().put("toolName", "noop");
    for (int i = 1; i < nodes - 1; i++) {
      steps.addObject().put("toolName", "noop").putObject("args").put("n", "{{steps.0.result.n}}");
    }
    var join = steps.addObject().put("toolName", "noop").putArray("dependsOn");
    for (int i = 1; i < nodes - 1; i++) {
      join.add(i);
    }
    return new ExecutorCost(plan);
  }

  /** Executes the plan once, from its checks to its end. */
  public void run() {
    var log = new ForgetfulLog(work.runId());
    var state = RunState.fresh(work.plan(), work.inputs(), work.tools());
    var result = new RunExecution(work, state, log, guard, new NoFiles()).start();
    if (result != RunResult.ENDED || !log.completed()) {
      throw new IllegalStateException("The plan did not complete");
    }
  }

  /** Does nothing. */
  private static final class Noop implements Tool {

    private final ToolSpec spec =
        new ToolSpec(
            "noop",
            "Does nothing",
            JSON.objectNode().put("type", "object"),
            null,
            Effect.READ,
            true,
            new ToolSpec.Resources(List.of(), List.of()),
            "noop",
            null,
            "1",
            null);

    @Override
    public ToolSpec spec() {
      return spec;
    }

    @Override
    public String call(ToolCall call) {
      return "{\"n\":3}";
    }
  }
}
