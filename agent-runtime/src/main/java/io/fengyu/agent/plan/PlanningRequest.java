package io.fengyu.agent.plan;

import io.fengyu.agent.tool.ToolSpec;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a plan is wanted for.
 *
 * @param model null for the one in force for the owner
 * @param tools what the plan may use
 * @param inputs names that the plan may refer to
 * @param failed null unless an earlier plan of this run failed
 */
public record PlanningRequest(
    UUID runId,
    String owner,
    @Nullable String sessionId,
    String goal,
    @Nullable String model,
    List<ToolSpec> tools,
    List<String> inputs,
    @Nullable Failed failed) {

  /**
   * What became of the plan before.
   *
   * @param message names the step and the cause
   */
  public record Failed(String message, List<Result> results) {}

  /** What a step came to. */
  public record Result(int step, String tool, String text) {}
}
