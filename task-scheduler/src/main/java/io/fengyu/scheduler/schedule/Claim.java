package io.fengyu.scheduler.schedule;

import io.vertx.mutiny.sqlclient.Row;
import java.util.UUID;

/**
 * The mark that an occurrence is being submitted.
 *
 * @param by the replica that does so
 * @param taskId the task that comes of it
 */
record Claim(UUID scheduleId, UUID by, UUID taskId) {

  static Claim of(Row row) {
    return new Claim(row.getUUID("id"), row.getUUID("claimed_by"), row.getUUID("claimed_task"));
  }
}
