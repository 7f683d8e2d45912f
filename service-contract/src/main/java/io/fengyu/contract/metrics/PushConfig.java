package io.fengyu.contract.metrics;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/** Where metrics are sent by this process itself; nowhere by default. */
@ConfigMapping(prefix = "fengyu.metrics")
interface PushConfig {

  /** Takes OTLP metrics over HTTP. */
  Optional<String> pushUrl();

  /** Takes all signals; used when there is no address for metrics alone. */
  Optional<String> otlpEndpoint();

  /** How often. */
  @WithDefault("60s")
  Duration pushInterval();
}
