package io.fengyu.contract.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MetricsPushTest {

  private static final Duration NEVER_WITHIN_THIS_TEST = Duration.ofHours(1);

  @Test
  void whatWasCountedBeforeAndAfterIsSentWithTheNameOfTheService()
      throws IOException, InterruptedException {
    BlockingQueue<String> received = new LinkedBlockingQueue<>();
    var sink = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    sink.createContext(
        "/v1/metrics",
        exchange -> {
          var body = exchange.getRequestBody().readAllBytes();
          received.add(new String(body, StandardCharsets.ISO_8859_1));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    sink.start();
    var all = new CompositeMeterRegistry();
    all.counter("fengyu.before").increment();
    var target = URI.create("http://127.0.0.1:" + sink.getAddress().getPort() + "/v1/metrics");
    try (var push =
        new OtlpRegistry(target, NEVER_WITHIN_THIS_TEST, Map.of("service.name", "some-service"))) {
      push.join(all);
      all.counter("fengyu.after").increment();
    }

    assertThat(received.poll(20, TimeUnit.SECONDS))
        .contains("some-service", "fengyu.before", "fengyu.after");
    sink.stop(0);
  }

  @Test
  void withoutAnAddressNothingIsSent() {
    assertThat(MetricsPush.target("X_URL", Optional.empty(), "")).isEmpty();
    assertThat(MetricsPush.target("X_URL", Optional.of(" "), "/v1/metrics")).isEmpty();
  }

  @Test
  void anEndpointForAllSignalsTakesMetricsUnderTheUsualPath() {
    assertThat(MetricsPush.target("X_URL", Optional.of("http://collector:4318/"), "/v1/metrics"))
        .contains(URI.create("http://collector:4318/v1/metrics"));
  }

  @Test
  void whatIsNoAddressIsNamed() {
    for (var wrong : new String[] {"collector:4318", "ftp://collector", "http://a b"}) {
      assertThatThrownBy(() -> MetricsPush.target("X_URL", Optional.of(wrong), ""))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("X_URL");
    }
  }
}
