package io.fengyu.scheduler.queue;

import io.vertx.mutiny.sqlclient.Row;

/** Reads the rows of tasks that start. */
final class StartedTasks {

  private StartedTasks() {}

  static StartedTask read(Row row) {
    return new StartedTask(
        row.getUUID("id"),
        row.getString("owner"),
        row.getString("kind"),
        Priority.of(row.getString("priority")),
        row.getString("workflow_id"),
        row.getString("request"),
        row.getOffsetDateTime("created_at").toInstant(),
        row.getOffsetDateTime("started_at").toInstant());
  }
}
