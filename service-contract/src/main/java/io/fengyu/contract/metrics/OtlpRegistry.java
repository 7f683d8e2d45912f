package io.fengyu.contract.metrics;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The only class that touches the exporter, so that nothing of it is loaded unless needed. */
final class OtlpRegistry implements AutoCloseable {

  private final OtlpMeterRegistry registry;

  OtlpRegistry(URI target, Duration interval, Map<String, String> resource) {
    this.registry = new OtlpMeterRegistry(new Settings(target, interval, resource), Clock.SYSTEM);
  }

  /** From now on the meters of that registry are sent, those it has already included. */
  void join(CompositeMeterRegistry all) {
    all.add(registry);
  }

  /** Sends once more, and ends. */
  @Override
  public void close() {
    registry.close();
  }

  private record Settings(URI target, Duration step, Map<String, String> resourceAttributes)
      implements OtlpConfig {

    @Override
    public String url() {
      return target.toString();
    }

    @Override
    public @Nullable String get(String key) {
      return null;
    }
  }
}
