package io.fengyu.bench;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;

/** {@code Main NAME…} runs benchmarks by name; without a name it lists them. */
public final class Main {

  private static final int USAGE = 2;
  private static final int TOO_SLOW = 3;

  private Main() {}

  /** Exits with 0 when every benchmark came to its end within its limit. */
  public static void main(String[] names) throws Exception {
    System.setProperty("slf4j.internal.verbosity", "ERROR");
    if (names.length == 0 || !Benches.all().keySet().containsAll(List.of(names))) {
      System.err.println("Usage: ./fengyu bench NAME…, where NAME is one of");
      Benches.all()
          .forEach((name, bench) -> System.err.printf("  %-10s %s%n", name, bench.about()));
      System.exit(USAGE);
    }
    for (String name : names) {
      run(name, requireNonNull(Benches.all().get(name)));
    }
  }

  private static void run(String name, Bench bench) throws Exception {
    System.out.printf("%n%s: %s%n", name, bench.about());
    Thread limit = giveUpAfter(Duration.ofSeconds(bench.limitSeconds()), name);
    try (Lab lab = new Lab()) {
      bench.run(lab);
    } finally {
      limit.interrupt();
    }
  }

  /** Ends the process; shutdown hooks stop what the benchmark has started. */
  private static Thread giveUpAfter(Duration limit, String name) {
    return Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                Thread.sleep(limit);
                System.err.printf("%s did not end within %d s%n", name, limit.toSeconds());
                System.exit(TOO_SLOW);
              } catch (InterruptedException done) {
                Thread.currentThread().interrupt();
              }
            });
  }
}
