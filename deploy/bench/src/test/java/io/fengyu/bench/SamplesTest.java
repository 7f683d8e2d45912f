package io.fengyu.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SamplesTest {

  @Test
  void theMedianIsTheMiddleWhateverTheOrder() {
    assertThat(Samples.of(9, 1, 5).median()).isEqualTo(5);
    assertThat(Samples.of(9, 1, 5, 7).median()).isEqualTo(6);
  }

  @Test
  void percentilesAreValuesThatWereMeasured() {
    var hundred = Samples.of(IntStream.rangeClosed(1, 100).asDoubleStream());

    assertThat(hundred.p50()).isEqualTo(50);
    assertThat(hundred.p99()).isEqualTo(99);
    assertThat(hundred.percentile(0)).isEqualTo(1);
    assertThat(hundred.percentile(100)).isEqualTo(hundred.max()).isEqualTo(100);
  }

  @Test
  void nanosecondsBecomeMilliseconds() {
    assertThat(Samples.millis(1_500_000).median()).isEqualTo(1.5);
  }

  @Test
  void nothingMeasuredIsAnErrorAndNotAZero() {
    assertThatThrownBy(() -> Samples.of(new double[0]))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
