package io.fengyu.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

/** Whether independent runs gain from a second replica of agent-runtime behind the edge. */
final class ReplicasBench implements Bench {

  private static final int CLIENTS = 16;
  private static final Duration SLICE = Duration.ofSeconds(8);

  private record Work(String name, ObjectNode plan) {}

  private static final List<Work> WORK =
      List.of(
          new Work("1 read step", Plans.read(1, true)),
          new Work("20 read steps", Plans.read(20, true)),
          new Work("20 steps that write a file", Plans.write(20)));

  @Override
  public String about() {
    return "independent runs per second from 16 clients, with one and two agent-runtime";
  }

  @Override
  public int limitSeconds() {
    return 300;
  }

  @Override
  public void run(Lab lab) throws Exception {
    var stack = lab.stack();
    measure(stack); // the compilers have to see it all once
    lab.quiet();
    var one = measure(stack);
    stack.command("scale", "agent-runtime", "2");
    measure(stack);
    lab.quiet();
    var two = measure(stack);
    var table = lab.table("runs per second", "one replica", "two replicas", "ratio");
    for (int i = 0; i < WORK.size(); i++) {
      table.row(WORK.get(i).name(), one.get(i), two.get(i), two.get(i) / one.get(i));
    }
    table.print();
    lab.say("on " + Runtime.getRuntime().availableProcessors() + " cores, clients included");
  }

  private static List<Double> measure(Stack stack) throws Exception {
    var perSecond = new ArrayList<Double>();
    for (var work : WORK) {
      perSecond.add(perSecond(stack, work.plan()));
    }
    return perSecond;
  }

  private static double perSecond(Stack stack, ObjectNode plan) throws Exception {
    var client = new RunClient(stack);
    long began = System.nanoTime();
    var clients = new ArrayList<Callable<Long>>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(() -> runsUntil(client, plan, began + SLICE.toNanos()));
    }
    long runs = 0;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var each : threads.invokeAll(clients)) {
        runs += each.get();
      }
    }
    return runs * 1e9 / (System.nanoTime() - began);
  }

  private static long runsUntil(RunClient client, ObjectNode plan, long end) throws Exception {
    long runs = 0;
    while (System.nanoTime() - end < 0) {
      client.run(plan);
      runs++;
    }
    return runs;
  }
}
