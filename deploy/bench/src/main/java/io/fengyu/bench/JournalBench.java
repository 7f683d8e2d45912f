package io.fengyu.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.journal.JournalLoad;
import java.time.Duration;

/** Events through the journal of one replica, against the same rows written by bare loops. */
final class JournalBench implements Bench {

  private static final Duration EACH = Duration.ofSeconds(4);
  private static final int[] RUNS = {1, 16, 256};
  private static final String EVENT =
      "{\"index\":3,\"toolName\":\"json_format\",\"status\":\"COMPLETED\",\"result\":\"{}\"}";

  @Override
  public String about() {
    return "events per second through the journal, 1, 16 and 256 runs at once, against bare INSERT";
  }

  @Override
  public void run(Lab lab) throws Exception {
    var postgres = lab.postgres();
    var raw = new RawInserts(postgres, EVENT);
    var event = (ObjectNode) new ObjectMapper().readTree(EVENT);
    var load =
        lab.opened(
            new JournalLoad(
                postgres.connect(), "127.0.0.1", postgres.port(), postgres.user(), event));
    load.eventsPerSecond(16, JournalLoad.Wait.ROOM, EACH);
    lab.quiet();
    double single = raw.rowsPerSecond(RawInserts.How.SINGLE, 1, EACH);
    double grouped = raw.rowsPerSecond(RawInserts.How.BY_32, 1, EACH);
    double copy = raw.rowsPerSecond(RawInserts.How.COPY, 1, EACH);
    Table table =
        lab.table("what", "runs", "events/s", "ratio to INSERT", "to INSERT by 32", "to COPY");
    table.row("bare INSERT, 1 client", "-", single, 1.0, single / grouped, single / copy);
    table.row("bare INSERT by 32, 1 client", "-", grouped, grouped / single, 1.0, grouped / copy);
    table.row("bare COPY, 1 client", "-", copy, copy / single, copy / grouped, 1.0);
    for (var wait : JournalLoad.Wait.values()) {
      for (int runs : RUNS) {
        double rate = load.eventsPerSecond(runs, wait, EACH);
        table.row(
            wait == JournalLoad.Wait.ROOM ? "journal, behind" : "journal, awaited each step",
            runs,
            rate,
            rate / single,
            rate / grouped,
            rate / copy);
      }
    }
    table.print();
  }
}
