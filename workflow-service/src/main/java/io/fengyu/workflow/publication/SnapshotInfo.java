package io.fengyu.workflow.publication;

import io.fengyu.workflow.definition.Definition;
import io.vertx.mutiny.sqlclient.Row;
import java.time.Instant;

/**
 * One publication in the list of versions.
 *
 * @param active true for the one that is run by its callers now
 */
public record SnapshotInfo(
    int revision, String name, String description, Instant publishedAt, boolean active) {

  static SnapshotInfo of(Row row) {
    return new SnapshotInfo(
        row.getInteger("revision"),
        row.getString("name"),
        row.getString("description"),
        Definition.instant(row, "published_at"),
        row.getBoolean("active"));
  }
}
