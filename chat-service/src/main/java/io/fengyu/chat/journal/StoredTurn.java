package io.fengyu.chat.journal;

import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A turn as the database has it.
 *
 * @param input the message that it answers
 * @param options JSON
 * @param text the reply; null while it runs
 * @param error JSON; null unless it ended early
 * @param record JSON; null while it runs
 * @param eventsGone true when its events were removed because of their age
 */
public record StoredTurn(
    UUID id,
    String owner,
    @Nullable String conversationId,
    TurnStatus status,
    int generation,
    boolean cancelRequested,
    String input,
    String options,
    @Nullable String text,
    @Nullable String error,
    @Nullable String record,
    @Nullable UUID supersededBy,
    Instant startedAt,
    @Nullable Instant endedAt,
    boolean eventsGone) {

  static final String COLUMNS =
      """
      SELECT t.id, t.owner, t.conversation_id, t.status, t.generation, t.cancel_requested, t.input,
             t.options, t.text, t.error, t.record, t.superseded_by, t.started_at, t.ended_at,
             t.events_gone
        FROM chat.turn t
      """;

  static @Nullable StoredTurn first(RowSet<Row> rows) {
    for (var row : rows) {
      return of(row);
    }
    return null;
  }

  static StoredTurn of(Row row) {
    return new StoredTurn(
        row.getUUID("id"),
        row.getString("owner"),
        row.getString("conversation_id"),
        TurnStatus.valueOf(row.getString("status")),
        row.getInteger("generation"),
        row.getBoolean("cancel_requested"),
        row.getString("input"),
        row.getString("options"),
        row.getString("text"),
        row.getString("error"),
        row.getString("record"),
        row.getUUID("superseded_by"),
        row.getOffsetDateTime("started_at").toInstant(),
        instant(row.getOffsetDateTime("ended_at")),
        row.getBoolean("events_gone"));
  }

  private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
    return time == null ? null : time.toInstant();
  }

  /** In the words that runs of all kinds share. */
  public String runStatus() {
    return switch (status) {
      case RUNNING -> cancelRequested ? "stopping" : "running";
      case PAUSED -> cancelRequested ? "stopping" : "paused";
      case FAILED, INTERRUPTED -> "error";
      default -> status.name().toLowerCase(Locale.ROOT);
    };
  }
}
