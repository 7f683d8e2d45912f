package io.fengyu.agent.journal;

import io.vertx.sqlclient.Tuple;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The changes of run rows in one batch, one row per run: what came later wins. */
final class RunChanges {

  /** New values of one run's row. */
  record Row(
      UUID runId,
      @Nullable String status,
      @Nullable String plan,
      @Nullable String gateId,
      @Nullable String gate,
      @Nullable String summary,
      @Nullable String error,
      boolean interrupted,
      boolean closing,
      boolean ended,
      int steps,
      long nextSeq,
      int nextAudit) {

    static Row unchanged(JournalItem item) {
      return new Row(
          item.log.runId(), null, null, null, null, null, null, false, false, false, 0, 0, 0);
    }

    Row with(Change change, JournalItem item) {
      return switch (change) {
        case Change.Status(var next) -> copy(next.name(), plan, item);
        case Change.Plan(var text) -> copy(status, text, item);
        case Change.Gate(var next, var id, var payload) ->
            new Row(
                runId,
                next.name(),
                plan,
                id,
                payload.toString(),
                null,
                null,
                false,
                true,
                false,
                steps + 1,
                item.nextSeq,
                item.nextAudit);
        case Change.End(var next, var words, var why, var cut) ->
            new Row(
                runId,
                next.name(),
                plan,
                null,
                null,
                storable(words),
                storable(why),
                cut,
                true,
                true,
                steps + 1,
                item.nextSeq,
                item.nextAudit);
        case Change.Intended intended -> this;
        case Change.Outcome outcome -> this;
        case Change.Wrote wrote -> this;
      };
    }

    private Row copy(@Nullable String nextStatus, @Nullable String nextPlan, JournalItem item) {
      return new Row(
          runId,
          nextStatus,
          nextPlan,
          gateId,
          gate,
          summary,
          error,
          interrupted,
          closing,
          ended,
          steps + 1,
          item.nextSeq,
          item.nextAudit);
    }
  }

  private final List<Row> rows;

  private RunChanges(List<Row> rows) {
    this.rows = rows;
  }

  static RunChanges of(List<JournalItem> items) {
    Map<UUID, Row> rows = new LinkedHashMap<>();
    for (var item : items) {
      for (var change : item.changes) {
        if (ofRow(change)) {
          var before = rows.getOrDefault(item.log.runId(), Row.unchanged(item));
          rows.put(item.log.runId(), before.with(change, item));
        }
      }
    }
    return new RunChanges(List.copyOf(rows.values()));
  }

  private static boolean ofRow(Change change) {
    return switch (change) {
      case Change.Status status -> true;
      case Change.Plan plan -> true;
      case Change.Gate gate -> true;
      case Change.End end -> true;
      case Change.Intended intended -> false;
      case Change.Outcome outcome -> false;
      case Change.Wrote wrote -> false;
    };
  }

  /** The only row there is. */
  Row only() {
    return rows.getFirst();
  }

  void addTo(Tuple tuple) {
    tuple
        .addArrayOfUUID(column(Row::runId, UUID[]::new))
        .addArrayOfString(column(Row::status, String[]::new))
        .addArrayOfString(column(Row::plan, String[]::new))
        .addArrayOfString(column(Row::gateId, String[]::new))
        .addArrayOfString(column(Row::gate, String[]::new))
        .addArrayOfString(column(Row::summary, String[]::new))
        .addArrayOfString(column(Row::error, String[]::new))
        .addArrayOfBoolean(column(Row::interrupted, Boolean[]::new))
        .addArrayOfBoolean(column(Row::closing, Boolean[]::new))
        .addArrayOfBoolean(column(Row::ended, Boolean[]::new))
        .addArrayOfInteger(column(Row::steps, Integer[]::new))
        .addArrayOfLong(column(Row::nextSeq, Long[]::new))
        .addArrayOfInteger(column(Row::nextAudit, Integer[]::new));
  }

  private <T extends @Nullable Object> T[] column(Function<Row, T> value, IntFunction<T[]> array) {
    var column = array.apply(rows.size());
    for (var i = 0; i < column.length; i++) {
      column[i] = value.apply(rows.get(i));
    }
    return column;
  }

  /** A text column cannot hold the character zero. */
  static @Nullable String storable(@Nullable String text) {
    return text == null || text.indexOf('\0') < 0 ? text : text.replace('\0', '\uFFFD');
  }
}
