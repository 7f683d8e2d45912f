package io.fengyu.scheduler.schedule;

import io.fengyu.contract.testing.PostgresServer;
import java.sql.SQLException;
import java.util.UUID;

/** What a story must see, or do, behind the API. */
final class ScheduleRows {

  private ScheduleRows() {}

  /** Runs a statement; the answer is its first column, as text. */
  static String sql(String statement, Object... values) {
    try (var connection = PostgresServer.shared().connect();
        var prepared = connection.prepareStatement(statement)) {
      for (int i = 0; i < values.length; i++) {
        prepared.setObject(i + 1, values[i]);
      }
      if (!prepared.execute()) {
        return Integer.toString(prepared.getUpdateCount());
      }
      try (var rows = prepared.getResultSet()) {
        return rows.next() ? String.valueOf(rows.getString(1)) : "";
      }
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  /** Has the ticker look now instead of at its own time. */
  static void wake() {
    var unused = sql("SELECT pg_notify('fengyu_schedules', '')");
  }

  static int count(String statement, Object... values) {
    return Integer.parseInt(sql(statement, values));
  }

  static int tasksOf(String workflow) {
    return count("SELECT count(*) FROM scheduler.task WHERE workflow_id = ?", workflow);
  }

  static UUID id(String text) {
    return UUID.fromString(text);
  }
}
