package io.fengyu.webhook.delivery;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.util.Optional;

/** From where deliveries are taken. */
@ConfigMapping(prefix = "fengyu.webhook")
interface SourceConfig {

  /** True takes them from this machine and the trusted sources only; all others get 403. */
  @WithDefault("true")
  boolean loopbackOnly();

  /** Further addresses or ranges that count as local, comma-separated. */
  Optional<String> trustedSources();

  /** False where a sidecar makes all traffic look local: then only the trusted sources count. */
  @WithDefault("true")
  boolean trustLoopback();
}
