package io.fengyu.contract.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CircuitTest {

  private final AtomicLong now = new AtomicLong();
  private final Circuit circuit = new Circuit(now::get);

  @Test
  void tenFailuresInARowOpenItForTenSeconds() {
    failTimes(9);
    assertThat(circuit.admits()).isTrue();

    circuit.failed();
    assertThat(circuit.admits()).isFalse();

    now.addAndGet(Duration.ofSeconds(10).toNanos());
    assertThat(circuit.admits()).isTrue();
  }

  @Test
  void afterThePauseOneCallTriesAndItsSuccessClosesIt() {
    failTimes(10);
    now.addAndGet(Duration.ofSeconds(10).toNanos());

    assertThat(circuit.admits()).isTrue();
    assertThat(circuit.admits()).isFalse();

    circuit.succeeded();
    assertThat(circuit.admits()).isTrue();
  }

  @Test
  void aSuccessInBetweenStartsTheCountAnew() {
    failTimes(9);
    circuit.succeeded();
    failTimes(9);

    assertThat(circuit.admits()).isTrue();
  }

  private void failTimes(int times) {
    for (var i = 0; i < times; i++) {
      circuit.failed();
    }
  }
}
