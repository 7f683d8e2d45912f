package io.fengyu.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.run.ExecutorCost;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** What a step costs: over HTTP with everything durable, and in memory beside a bare walker. */
final class RunBench implements Bench {

  private static final int NODES = 64;
  private static final int WARM_UP = 80;
  private static final int RUNS = 80;
  private static final Duration EACH_IN_MEMORY = Duration.ofSeconds(2);

  @Override
  public String about() {
    return "added time per step of a run: over HTTP and in memory, beside a bare graph walker";
  }

  @Override
  public int limitSeconds() {
    return 420;
  }

  @Override
  public void run(Lab lab) throws Exception {
    inMemory(lab);
    overHttp(lab);
  }

  private interface Work {
    void run() throws Exception;
  }

  private static void inMemory(Lab lab) throws Exception {
    lab.quiet();
    var table = lab.table("in memory, 64 no-op nodes", "us per node", "ratio to bare walker");
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var walkChain = BareWalker.chain(NODES, threads);
      var walkFan = BareWalker.fan(NODES, threads);
      var chain = ExecutorCost.chain(NODES);
      var fan = ExecutorCost.fan(NODES);
      double bareChain = microsPerNode(walkChain::run);
      double bareFan = microsPerNode(walkFan::run);
      double runChain = microsPerNode(() -> onVirtualThread(threads, chain));
      double runFan = microsPerNode(() -> onVirtualThread(threads, fan));
      table.row("bare walker, chain", bareChain, 1.0);
      table.row("bare walker, fan", bareFan, 1.0);
      table.row("executor, chain with references and events", runChain, runChain / bareChain);
      table.row("executor, fan with references and events", runFan, runFan / bareFan);
    }
    table.print();
  }

  private static void onVirtualThread(ExecutorService threads, ExecutorCost cost) throws Exception {
    threads.submit(cost::run).get();
  }

  /** The best of some slices: what other programs take away shows in the others. */
  private static double microsPerNode(Work work) throws Exception {
    repeat(work, EACH_IN_MEMORY);
    double best = Double.MAX_VALUE;
    for (int slice = 0; slice < 8; slice++) {
      best = Math.min(best, repeat(work, EACH_IN_MEMORY.dividedBy(8)));
    }
    return best;
  }

  private static double repeat(Work work, Duration during) throws Exception {
    long start = System.nanoTime();
    long done = 0;
    while (System.nanoTime() - start < during.toNanos()) {
      work.run();
      done++;
    }
    return (System.nanoTime() - start) / 1e3 / done / NODES;
  }

  private static void overHttp(Lab lab) throws Exception {
    var client = new RunClient(lab.stack());
    var rows =
        List.of(
            new Row("1 read step", Plans.read(1, true), 1, -1),
            new Row("chain of 20 read steps", Plans.read(20, true), 20, 0),
            new Row("chain of 64 read steps", Plans.read(NODES, true), NODES, 0),
            new Row("64 read steps at once", Plans.read(NODES, false), NODES, 0),
            new Row("1 step with an effect that does nothing", Plans.effects(1), 1, -1),
            new Row("chain of 20 steps with such effects", Plans.effects(20), 20, 4),
            new Row("1 step that writes a file", Plans.write(1), 1, -1),
            new Row("chain of 20 steps that write a file", Plans.write(20), 20, 6));
    measure(client, rows, WARM_UP);
    lab.quiet();
    var medians = measure(client, rows, RUNS);
    var table = lab.table("over HTTP, durable", "ms per run", "added ms per step", "steps/s");
    for (int i = 0; i < medians.length; i++) {
      var row = rows.get(i);
      Object added =
          row.single() < 0 ? "-" : (medians[i] - medians[row.single()]) / (row.steps() - 1);
      table.row(row.what(), medians[i], added, row.steps() * 1000 / medians[i]);
    }
    table.print();
  }

  /**
   * A plan to measure.
   *
   * @param single row of the same step alone, which the added time is counted from; -1 for none
   */
  private record Row(String what, ObjectNode plan, int steps, int single) {}

  // All plans in turn, round after round: what disturbs the machine disturbs every row alike.
  private static double[] measure(RunClient client, List<Row> rows, int rounds) throws Exception {
    var nanos = new long[rows.size()][rounds];
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < rows.size(); i++) {
        long start = System.nanoTime();
        client.run(rows.get(i).plan());
        nanos[i][round] = System.nanoTime() - start;
      }
    }
    return Arrays.stream(nanos).mapToDouble(all -> Samples.millis(all).median()).toArray();
  }
}
