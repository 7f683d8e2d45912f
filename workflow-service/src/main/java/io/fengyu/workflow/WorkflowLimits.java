package io.fengyu.workflow;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

/** Bounds of what can be saved. */
@ConfigMapping(prefix = "workflow")
public interface WorkflowLimits {

  /** Steps of one plan; a longer one is refused when it is saved. A run takes at most 200. */
  @Min(1)
  @Max(200)
  @WithDefault("64")
  int maxSteps();
}
