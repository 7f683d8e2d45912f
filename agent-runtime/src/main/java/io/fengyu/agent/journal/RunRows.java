package io.fengyu.agent.journal;

import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads run rows. */
public final class RunRows {

  /** What {@link #read} needs, in its order. */
  public static final String COLUMNS =
      """
      r.id, r.owner, r.session_id, r.goal, r.status, r.config, r.plan, r.inputs, r.summary,
      r.error, r.interrupted, r.resumed_from, r.sandbox_profile, r.cancel_status,
      r.execution_stopped, r.terminal_persisted, r.generation, r.revision, r.gate_id,
      r.pending_gate, r.released_gate, r.released_decision, r.executor, r.created_at,
      r.updated_at, r.completed_at, r.ancestor, r.home""";

  private RunRows() {}

  /** One row that begins with {@link #COLUMNS}. */
  public static StoredRun read(Row row) {
    return new StoredRun(
        row.getUUID(0),
        row.getString(1),
        row.getString(2),
        row.getString(3),
        RunStatus.valueOf(row.getString(4)),
        row.getString(5),
        row.getString(6),
        row.getString(7),
        row.getString(8),
        row.getString(9),
        row.getBoolean(10),
        row.getUUID(11),
        row.getString(12),
        StoredRun.CancelStatus.valueOf(row.getString(13).toUpperCase(Locale.ROOT)),
        row.getBoolean(14),
        row.getBoolean(15),
        row.getInteger(16),
        row.getInteger(17),
        row.getString(18),
        row.getString(19),
        row.getString(20),
        row.getString(21),
        row.getUUID(22),
        instant(row.getOffsetDateTime(23)),
        instant(row.getOffsetDateTime(24)),
        instantOrNull(row.getOffsetDateTime(25)),
        row.getUUID(26),
        row.getUUID(27));
  }

  static @Nullable StoredRun first(RowSet<Row> rows) {
    var all = rows.iterator();
    return all.hasNext() ? read(all.next()) : null;
  }

  static List<StoredRun> all(RowSet<Row> rows) {
    var runs = new ArrayList<StoredRun>(rows.rowCount());
    rows.forEach(row -> runs.add(read(row)));
    return runs;
  }

  static Instant instant(OffsetDateTime time) {
    return time.toInstant();
  }

  private static @Nullable Instant instantOrNull(@Nullable OffsetDateTime time) {
    return time == null ? null : time.toInstant();
  }
}
