package io.fengyu.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;

/** Keeps a benchmark from measuring its neighbours. */
final class QuietMachine {

  private static final Path CPU = Path.of("/proc/stat");
  private static final double BUSY = 0.12;
  private static final int IN_A_ROW = 3;

  private QuietMachine() {}

  /** Waits until the machine was under 12 % busy for 3 seconds; tells how that went. */
  static String await(Duration patience) throws InterruptedException {
    if (!Files.isReadable(CPU)) {
      return "quiet: unknown, this system has no " + CPU;
    }
    long start = System.nanoTime();
    double busy = 1;
    for (int calm = 0; calm < IN_A_ROW; calm = busy < BUSY ? calm + 1 : 0) {
      if (System.nanoTime() - start > patience.toNanos()) {
        return "NOT quiet: %.0f %% busy after %d s; trust ratios only"
            .formatted(busy * 100, patience.toSeconds());
      }
      busy = busyForASecond();
    }
    return "quiet: %.0f %% busy".formatted(busy * 100);
  }

  private static double busyForASecond() throws InterruptedException {
    Ticks before = ticks();
    Thread.sleep(Duration.ofSeconds(1));
    Ticks after = ticks();
    return 1 - (double) (after.idle - before.idle) / Math.max(1, after.all - before.all);
  }

  private static Ticks ticks() {
    try (var lines = Files.lines(CPU)) {
      long[] fields =
          Arrays.stream(lines.findFirst().orElseThrow().split(" +"))
              .skip(1)
              .limit(8)
              .mapToLong(Long::parseLong)
              .toArray();
      return new Ticks(fields[3] + fields[4], Arrays.stream(fields).sum());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private record Ticks(long idle, long all) {}
}
