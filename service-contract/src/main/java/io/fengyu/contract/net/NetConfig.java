package io.fengyu.contract.net;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** What requests may look like, and how a process says goodbye. */
@ConfigMapping(prefix = "fengyu.net")
public interface NetConfig {

  /** Proxies whose X-Forwarded-For is believed: addresses or ranges, comma-separated. */
  Optional<String> trustedProxies();

  /** Host names that are accepted while listening on loopback, beside the names of loopback. */
  Optional<List<String>> allowedHosts();

  /** Origins whose pages may call, comma-separated. */
  Optional<String> corsOrigins();

  /** One more port for health and metrics, without a token. */
  OptionalInt managementPort();

  /** Whether services speak TLS with each other. */
  @WithDefault("false")
  boolean internalTls();

  /** Body of any request, but for the paths below; past it 413. */
  @WithDefault("1M")
  MemorySize bodyLimit();

  /** Other limits by path prefix; the longest prefix wins. */
  Map<String, MemorySize> bodyLimits();

  /** Limits by path prefix for calls that carry the internal secret, before those above. */
  Map<String, MemorySize> internalBodyLimits();

  /** How long a process that was told to stop goes on serving while it is no longer ready. */
  @WithDefault("5s")
  Duration shutdownDelay();

  /** How long it then waits for what is running. */
  @WithDefault("20s")
  Duration shutdownTimeout();
}
