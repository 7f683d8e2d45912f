package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.guard.Verdict.Decision;
import io.fengyu.agent.tool.Effect;
import io.fengyu.contract.plan.PlanProblem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run would do, told without doing any of it.
 *
 * @param valid true when the plan would be executed at all
 * @param levels indexes of steps; those of a level would run at the same time
 * @param asks how many steps a person would have to agree to
 * @param denies how many steps would fail because they may not be made
 * @param hooksThatWouldRun names of the hooks that would be asked about calls
 * @param unattendedOk true when nobody would be asked and nothing denied
 */
public record Foreseen(
    boolean valid,
    List<PlanProblem> problems,
    List<List<Integer>> levels,
    List<Step> steps,
    int asks,
    int denies,
    List<String> hooksThatWouldRun,
    boolean unattendedOk) {

  /**
   * One step.
   *
   * @param effect null when there is no such tool
   * @param verdict null when there is no such tool
   * @param reason why; null when there is no such tool
   * @param args with every value that is known; references to others as written
   * @param missing those references
   * @param reads names of what the call looks at; null when it isn't declared
   * @param writes names of what the call changes; null when it isn't declared
   */
  public record Step(
      int index,
      String tool,
      @Nullable Effect effect,
      @Nullable Decision verdict,
      @Nullable String reason,
      ObjectNode args,
      List<String> missing,
      boolean retrySafe,
      @Nullable List<String> reads,
      @Nullable List<String> writes) {

    boolean is(Decision decision) {
      return verdict == decision;
    }
  }
}
