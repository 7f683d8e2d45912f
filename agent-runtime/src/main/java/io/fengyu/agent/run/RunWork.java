package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.journal.StoredRun;
import io.fengyu.agent.tool.Tool;
import io.fengyu.contract.plan.CompiledPlan;
import io.fengyu.contract.plan.PlanProblem;
import io.fengyu.contract.plan.PlanReader.ReadPlan;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Everything about a run that doesn't change while one executor has it.
 *
 * @param writtenGoal as it came, references included
 * @param goal with its inputs rendered
 * @param planJson the plan as it is shown
 * @param planProblems mistakes found while the plan was read
 * @param tools the catalog as it was when this executor took over
 * @param origin whose work it goes on with, and where
 */
record RunWork(
    UUID runId,
    String owner,
    @Nullable String sessionId,
    String writtenGoal,
    String goal,
    RunOptions options,
    CompiledPlan plan,
    ObjectNode planJson,
    List<PlanProblem> planProblems,
    ObjectNode inputs,
    Map<String, Tool> tools,
    int generation,
    Origin origin) {

  /** Only the tools that the run may have, whatever the catalog offers. */
  RunWork {
    tools = options.startedBy().offered(tools);
  }

  /**
   * Where a run comes from.
   *
   * @param ancestor the run whose plan it took over; null for none
   * @param home the run in whose folders it works
   */
  record Origin(@Nullable UUID ancestor, UUID home) {

    static Origin fresh(UUID runId) {
      return new Origin(null, runId);
    }

    static Origin of(StoredRun run) {
      var home = run.home();
      return new Origin(run.ancestor(), home == null ? run.id() : home);
    }
  }

  /** The conversation whose data the run may use; null for none. */
  @Nullable String dataSession() {
    return sessionId == null ? options.dataOf() : sessionId;
  }

  /** The same run with a plan that was just made. */
  RunWork with(ReadPlan made) {
    return new RunWork(
        runId,
        owner,
        sessionId,
        writtenGoal,
        goal,
        options,
        CompiledPlan.of(made.plan()),
        made.plan().toJson(),
        made.problems(),
        inputs,
        tools,
        generation,
        origin);
  }

  /** Of the gate at which this stage may end; good among all runs. */
  String gateId() {
    return "g-" + generation + "-" + runId;
  }
}
