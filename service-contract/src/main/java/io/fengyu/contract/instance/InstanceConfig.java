package io.fengyu.contract.instance;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** The rhythm by which replicas know of each other. */
@ConfigMapping(prefix = "fengyu.instance")
public interface InstanceConfig {

  /** Pause between two signs of life. */
  @WithDefault("5s")
  Duration heartbeatInterval();

  /** After so long without a sign of life a process counts as dead and its work as free. */
  @WithDefault("20s")
  Duration leaseTtl();
}
