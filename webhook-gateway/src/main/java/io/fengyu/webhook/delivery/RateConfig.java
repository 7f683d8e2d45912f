package io.fengyu.webhook.delivery;

import io.smallrye.config.ConfigMapping;
import jakarta.validation.constraints.Min;

/** How often a trigger may fire. */
@ConfigMapping(prefix = "fengyu.webhook")
interface RateConfig {

  /** Deliveries of one trigger in a minute, all replicas together; more get 429. 0 for no limit. */
  @Min(0)
  int ratePerMinute();
}
