package io.fengyu.webhook.delivery;

import io.vertx.mutiny.sqlclient.Row;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A delivery as a repetition finds it.
 *
 * @param id also the id of its task
 */
record Delivery(UUID id, String state, @Nullable String error) {

  /** Claimed, but what came of it is not known yet. */
  boolean pending() {
    return state.equals("CLAIMED");
  }

  /** True while it runs or when it ended well. */
  boolean accepted() {
    return switch (state) {
      case "QUEUED", "SUBMITTED", "COMPLETED" -> true;
      default -> false;
    };
  }

  static Delivery of(Row row) {
    return new Delivery(row.getUUID("id"), row.getString("state"), row.getString("error"));
  }
}
