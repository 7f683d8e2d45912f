package io.fengyu.agent.job;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How jobs are followed. */
@ConfigMapping(prefix = "fengyu.jobs")
interface JobConfig {

  /** The pause before the second query; later ones grow to five times of it. */
  @WithDefault("1s")
  Duration pollEvery();

  /** A job that takes longer is asked to end, and its call has failed. */
  @WithDefault("24h")
  Duration longest();

  /** How long the end of a stopped job is waited for; then nobody knows what became of it. */
  @WithDefault("5m")
  Duration stopPatience();
}
