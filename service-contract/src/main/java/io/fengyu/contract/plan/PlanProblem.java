package io.fengyu.contract.plan;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One reason why a plan can't be executed.
 *
 * @param step index of the step; null when it concerns the plan as a whole
 * @param code stable UPPER_SNAKE word
 * @param params what a client needs to say it in its own language
 * @param message the same in English
 */
public record PlanProblem(
    @Nullable Integer step, String code, Map<String, Object> params, String message) {

  static PlanProblem of(@Nullable Integer step, String code, String message, Object... params) {
    var named = new LinkedHashMap<String, Object>();
    for (int i = 0; i < params.length; i += 2) {
      named.put((String) params[i], params[i + 1]);
    }
    var where = step == null ? "" : "Step " + step + ": ";
    return new PlanProblem(step, code, named, where + message);
  }
}
