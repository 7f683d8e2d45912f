package io.fengyu.agent.toolbatch;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Min;
import java.time.Duration;

/** Bounds of tool calls outside of runs. */
@ConfigMapping(prefix = "fengyu.tool-batches")
public interface BatchConfig {

  /** From the first call of a batch; what still runs then is told to stop. */
  @WithDefault("11m")
  Duration limit();

  /** After that a call that does not listen is left alone and answered as unknown. */
  @WithDefault("5s")
  Duration grace();

  /** Batches of one owner in one process; past it the owner gets 429. */
  @WithDefault("32")
  @Min(1)
  int perOwner();
}
