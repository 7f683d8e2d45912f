package io.fengyu.agent.plan;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Min;

/** Bounds of planning by a model. */
@ConfigMapping(prefix = "fengyu.planning")
public interface PlanningConfig {

  /** Seconds after which the model's answer is given up, and the run fails. */
  @Min(1)
  @WithDefault("${AGENT_PLANNING_TIMEOUT_SECONDS:180}")
  int timeoutSeconds();
}
