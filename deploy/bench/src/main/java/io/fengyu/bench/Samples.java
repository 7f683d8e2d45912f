package io.fengyu.bench;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/** Measured values of one kind, in one unit. */
final class Samples {

  private final double[] sorted;

  private Samples(double[] values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("Nothing was measured");
    }
    sorted = values.clone();
    Arrays.sort(sorted);
  }

  static Samples of(double... values) {
    return new Samples(values);
  }

  static Samples of(DoubleStream values) {
    return new Samples(values.toArray());
  }

  /** Of times taken with {@link System#nanoTime}, as milliseconds. */
  static Samples millis(long... nanos) {
    return new Samples(Arrays.stream(nanos).mapToDouble(n -> n / 1e6).toArray());
  }

  int count() {
    return sorted.length;
  }

  /** The middle; between the two middle ones of an even number. */
  double median() {
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  double p50() {
    return percentile(50);
  }

  double p99() {
    return percentile(99);
  }

  double min() {
    return sorted[0];
  }

  double max() {
    return sorted[sorted.length - 1];
  }

  /** Smallest value that at least that share (0 to 100) of all values doesn't exceed. */
  double percentile(double share) {
    int rank = (int) Math.ceil(share / 100 * sorted.length);
    return sorted[Math.clamp(rank - 1, 0, sorted.length - 1)];
  }
}
