package io.fengyu.bench;

import java.time.Duration;

/** What this machine's Postgres takes at most, the yardstick of everything that writes events. */
final class InsertsBench implements Bench {

  private static final Duration EACH = Duration.ofSeconds(4);
  private static final String EVENT =
      "{\"seq\":12,\"step\":3,\"toolName\":\"json_format\",\"durationMs\":4,\"result\":\"{}\"}";

  @Override
  public String about() {
    return "bare INSERT and COPY of event rows, fsync on: the floor for the others";
  }

  @Override
  public void run(Lab lab) throws Exception {
    var raw = new RawInserts(lab.postgres(), EVENT);
    raw.rowsPerSecond(RawInserts.How.SINGLE, 4, EACH);
    lab.quiet();
    Table table = lab.table("how", "clients", "rows/s", "ratio to 1 client, 1 row a commit");
    double base = raw.rowsPerSecond(RawInserts.How.SINGLE, 1, EACH);
    table.row("SINGLE", 1, base, 1.0);
    for (var how : RawInserts.How.values()) {
      double rate = raw.rowsPerSecond(how, 16, EACH);
      table.row(how, 16, rate, rate / base);
    }
    table.print();
  }
}
