package io.fengyu.bench;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.postgresql.PGConnection;

/**
 * The floor under every journal: rows of a run event written by a bare loop, as fast as the
 * database takes them, with nothing around it.
 */
final class RawInserts {

  /** How rows reach the table. */
  enum How {
    /** One row, one commit. */
    SINGLE(1),
    /** One statement of 32 rows, one commit. */
    BY_32(32),
    /** COPY of 1000 rows, one commit. */
    COPY(1000);

    private final int rows;

    How(int rows) {
      this.rows = rows;
    }
  }

  private static final String TABLE =
      """
      DROP TABLE IF EXISTS raw_event;
      CREATE TABLE raw_event (
        run_id uuid   NOT NULL,
        seq    bigint NOT NULL,
        type   text   NOT NULL,
        data   jsonb  NOT NULL,
        PRIMARY KEY (run_id, seq)
      )""";

  private static final String INSERT = "INSERT INTO raw_event VALUES ";
  private static final String ROW = "(?, ?, 'step_complete', ?::jsonb)";

  private final ThrowawayPostgres postgres;
  private final String data;

  /**
   * @param data JSON of one event: use one as large as those that the measured code writes
   */
  RawInserts(ThrowawayPostgres postgres, String data) {
    this.postgres = postgres;
    this.data = data;
  }

  /** Rows per second over all clients, on a new, empty table. */
  double rowsPerSecond(How how, int clients, Duration time) throws Exception {
    postgres.execute(TABLE);
    try (ExecutorService pool = Executors.newFixedThreadPool(clients)) {
      long start = System.nanoTime();
      long end = start + time.toNanos();
      List<Future<Long>> written = pool.invokeAll(Collections.nCopies(clients, writer(how, end)));
      return sum(written) / ((System.nanoTime() - start) / 1e9);
    }
  }

  private Callable<Long> writer(How how, long end) {
    return () -> {
      try (Connection connection = postgres.connect()) {
        return how == How.COPY ? copy(connection, how, end) : insert(connection, how, end);
      }
    };
  }

  private long insert(Connection connection, How how, long end) throws SQLException {
    String sql = INSERT + String.join(", ", Collections.nCopies(how.rows, ROW));
    UUID run = UUID.randomUUID();
    long seq = 0;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      while (System.nanoTime() < end) {
        for (int i = 0, column = 0; i < how.rows; i++) {
          statement.setObject(++column, run);
          statement.setLong(++column, seq++);
          statement.setString(++column, data);
        }
        statement.executeUpdate();
      }
    }
    return seq;
  }

  private long copy(Connection connection, How how, long end) throws Exception {
    var copies = connection.unwrap(PGConnection.class).getCopyAPI();
    UUID run = UUID.randomUUID();
    String escaped = data.replace("\\", "\\\\");
    long seq = 0;
    while (System.nanoTime() < end) {
      var rows = new StringBuilder();
      for (int i = 0; i < how.rows; i++) {
        rows.append(run).append('\t').append(seq++);
        rows.append("\tstep_complete\t").append(escaped).append('\n');
      }
      byte[] bytes = rows.toString().getBytes(StandardCharsets.UTF_8);
      copies.copyIn("COPY raw_event FROM STDIN", new ByteArrayInputStream(bytes));
    }
    return seq;
  }

  private static long sum(List<Future<Long>> parts) throws Exception {
    long sum = 0;
    for (Future<Long> part : parts) {
      sum += part.get();
    }
    return sum;
  }
}
