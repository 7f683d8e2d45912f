package io.fengyu.contract.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/** Sends the metrics of this process to a collector, if one is configured. */
@ApplicationScoped
class MetricsPush {

  private final PushConfig config;
  private final MeterRegistry metrics;
  private final Map<String, String> resource;
  private @Nullable OtlpRegistry pushing;

  MetricsPush(
      PushConfig config,
      MeterRegistry metrics,
      @ConfigProperty(name = "quarkus.application.name") String service,
      @ConfigProperty(name = "fengyu.address") String address) {
    this.config = config;
    this.metrics = metrics;
    this.resource = Map.of("service.name", service, "service.instance.id", address);
  }

  void start(@Observes StartupEvent started) {
    var target =
        target("MANAGEMENT_OTLP_METRICS_EXPORT_URL", config.pushUrl(), "")
            .or(() -> target("OTEL_EXPORTER_OTLP_ENDPOINT", config.otlpEndpoint(), "/v1/metrics"));
    if (target.isPresent() && metrics instanceof CompositeMeterRegistry all) {
      pushing = new OtlpRegistry(target.get(), config.pushInterval(), resource);
      pushing.join(all);
    }
  }

  void stop(@Observes ShutdownEvent stopped) {
    if (pushing != null) {
      pushing.close();
    }
  }

  /**
   * Reads one address.
   *
   * @param variable named when it is none
   */
  static Optional<URI> target(String variable, Optional<String> value, String path) {
    return value
        .map(String::strip)
        .filter(text -> !text.isEmpty())
        .map(text -> address(variable, text.replaceAll("/+$", "") + path));
  }

  private static URI address(String variable, String text) {
    try {
      var address = URI.create(text);
      if (address.getHost() != null && String.valueOf(address.getScheme()).matches("https?")) {
        return address;
      }
    } catch (IllegalArgumentException malformed) {
      throw new IllegalArgumentException(variable + " is no address", malformed);
    }
    throw new IllegalArgumentException(variable + " is no http address");
  }
}
