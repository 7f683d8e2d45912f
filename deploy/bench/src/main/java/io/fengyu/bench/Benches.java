package io.fengyu.bench;

import java.util.Map;
import java.util.TreeMap;

/** The benchmarks there are, by the name on the command line. */
final class Benches {

  private static final Map<String, Bench> ALL =
      new TreeMap<>(
          Map.of(
              "chat", new ChatBench(),
              "footprint", new FootprintBench(),
              "inserts", new InsertsBench(),
              "journal", new JournalBench(),
              "replicas", new ReplicasBench(),
              "run", new RunBench(),
              "tasks", new TasksBench(),
              "workflows", new WorkflowsBench()));

  private Benches() {}

  static Map<String, Bench> all() {
    return ALL;
  }
}
