package io.fengyu.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.fengyu.contract.testing.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A program that would be unsafe, or not do what was meant, says why and does not start. */
class StartRefusedIT {

  @TempDir Path folder;

  static Stream<Arguments> mistakes() {
    return Stream.of(
        Arguments.of(
            Map.of("INTERNAL_SERVICE_SECRET", "", "AGENT_RUN_CANCEL_ENABLED", "true"),
            "INTERNAL_SERVICE_SECRET"),
        Arguments.of(Map.of("INTERNAL_SERVICE_SECRET", "too-short"), "INTERNAL_SERVICE_SECRET"),
        Arguments.of(Map.of("FENGYU_MACHINE_KEY", ""), "FENGYU_MACHINE_KEY"),
        Arguments.of(Map.of("FENGYU_TOKEN", "", "HTTP_HOST", "0.0.0.0"), "FENGYU_TOKEN"),
        Arguments.of(Map.of("FENGYU_TOKEN_FILE", "/nowhere/token"), "FENGYU_TOKEN_FILE"),
        Arguments.of(
            Map.of("MANAGEMENT_OTLP_METRICS_EXPORT_URL", "collector"),
            "MANAGEMENT_OTLP_METRICS_EXPORT_URL"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void theReasonNamesTheSetting(Map<String, String> mistake, String named)
      throws IOException, InterruptedException {
    var environment = PackagedService.environment(folder, PostgresServer.DATABASE, "fengyu_agent");
    environment.putAll(mistake);
    environment.values().removeIf(String::isEmpty);
    environment.put("DB_MIGRATE_USER", "fengyu_owner");
    environment.put("DB_MIGRATE_PASSWORD", environment.get("DB_PASSWORD"));

    try (var service = PackagedService.start(folder, environment)) {
      assertThat(service.exitCode()).isEqualTo(1);
      assertThat(service.said()).contains(named);
    }
  }
}
