package io.fengyu.agent.journal;

import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What one statement of the journal writes: appends of one executor, in the order of the queue. */
final class JournalBatch {

  private final UUID executor;
  private final List<JournalItem> items = new ArrayList<>();
  private final Map<UUID, JournalLog> logs = new LinkedHashMap<>();
  private int events;
  private int bytes;
  private boolean changing;

  JournalBatch(UUID executor) {
    this.executor = executor;
  }

  void add(JournalItem item) {
    items.add(item);
    logs.putIfAbsent(item.log.runId(), item.log);
    events += item.types.length;
    bytes += item.bytes;
    changing |= !item.changes.isEmpty();
  }

  /**
   * True when the item still belongs here: same executor, same stage of its run, and the bounds
   * hold. An append larger than the bounds travels alone.
   */
  boolean takes(JournalItem item, int maxEvents, int maxBytes) {
    var log = logs.get(item.log.runId());
    return executor.equals(item.log.executor())
        && (log == null || log == item.log)
        && events + item.types.length <= maxEvents
        && bytes + item.bytes <= maxBytes;
  }

  List<JournalItem> items() {
    return items;
  }

  boolean isEmpty() {
    return items.isEmpty();
  }

  String statement() {
    return changing ? JournalSql.APPEND_AND_CHANGE : JournalSql.APPEND;
  }

  /** Runs of the batch that are not among {@code held}. */
  List<JournalLog> lost(Set<UUID> held) {
    return logs.values().stream().filter(log -> !held.contains(log.runId())).toList();
  }

  /** The same batch without these runs. */
  JournalBatch without(List<JournalLog> lost) {
    var rest = new JournalBatch(executor);
    for (var item : items) {
      if (!lost.contains(item.log)) {
        rest.add(item);
      }
    }
    return rest;
  }

  /** The same batch, in which these runs end as cancelled instead of as their executor meant. */
  JournalBatch cancelling(Set<UUID> cancelled) {
    if (cancelled.isEmpty()) {
      return this;
    }
    var changed = new JournalBatch(executor);
    for (var item : items) {
      changed.add(
          item.ended() && cancelled.contains(item.log.runId()) ? item.cancelledInstead() : item);
    }
    return changed;
  }

  /** Each append as a batch of its own, to find the one that the database refuses. */
  List<JournalBatch> singly() {
    return items.stream().map(JournalBatch::only).toList();
  }

  private static JournalBatch only(JournalItem item) {
    var batch = new JournalBatch(item.log.executor());
    batch.add(item);
    return batch;
  }

  /** Parameters of {@link #statement()}. */
  Tuple parameters(boolean announce) {
    var tuple = Tuple.tuple(new ArrayList<>(changing ? 41 : 10));
    tuple.addUUID(executor);
    addLogs(tuple);
    addEvents(tuple);
    tuple.addBoolean(announce);
    if (changing) {
      RunChanges.of(items).addTo(tuple);
      ReceiptChanges.of(items).addTo(tuple);
      FileChanges.of(items).addTo(tuple);
    }
    return tuple;
  }

  private void addLogs(Tuple tuple) {
    var ids = new UUID[logs.size()];
    var generations = new Integer[logs.size()];
    var i = 0;
    for (var log : logs.values()) {
      ids[i] = log.runId();
      generations[i++] = log.generation();
    }
    tuple.addArrayOfUUID(ids).addArrayOfInteger(generations);
  }

  private void addEvents(Tuple tuple) {
    var runs = new UUID[events];
    var seqs = new Long[events];
    var audits = new Integer[events];
    var types = new String[events];
    var data = new String[events];
    var ats = new OffsetDateTime[events];
    var i = 0;
    for (var item : items) {
      for (var e = 0; e < item.types.length; e++) {
        runs[i] = item.log.runId();
        seqs[i] = item.seqs[e];
        audits[i] = item.audits[e];
        types[i] = item.types[e].wire();
        data[i] = item.data[e];
        ats[i++] = item.at;
      }
    }
    tuple
        .addArrayOfUUID(runs)
        .addArrayOfLong(seqs)
        .addArrayOfInteger(audits)
        .addArrayOfString(types)
        .addArrayOfString(data)
        .addArrayOfOffsetDateTime(ats);
  }

  /** Parameters of {@link JournalSql#ARRIVED}: the first event of every run that has one. */
  @Nullable Tuple probe() {
    var first = new LinkedHashMap<UUID, Long>();
    for (var item : items) {
      if (item.seqs.length > 0) {
        first.putIfAbsent(item.log.runId(), item.seqs[0]);
      }
    }
    return first.isEmpty()
        ? null
        : Tuple.tuple()
            .addArrayOfUUID(first.keySet().toArray(UUID[]::new))
            .addArrayOfLong(first.values().toArray(Long[]::new));
  }

  /** Logs that end or pause with this batch, each with its last append. */
  List<JournalItem> closing() {
    return items.stream().filter(JournalItem::closing).toList();
  }

  /** Parameters of {@link JournalSql#CONFIRM} for appends that end or pause their run. */
  static Tuple confirmation(List<JournalItem> closing) {
    var size = closing.size();
    var runs = new UUID[size];
    var statuses = new @Nullable String[size];
    var summaries = new @Nullable String[size];
    var errors = new @Nullable String[size];
    var seqs = new @Nullable Long[size];
    var data = new @Nullable String[size];
    for (var i = 0; i < size; i++) {
      var item = closing.get(i);
      var end = RunChanges.of(List.of(item)).only();
      runs[i] = item.log.runId();
      statuses[i] = end.status();
      summaries[i] = end.summary();
      errors[i] = end.error();
      var last = item.seqs.length - 1;
      seqs[i] = last < 0 ? null : item.seqs[last];
      data[i] = last < 0 ? null : item.data[last];
    }
    return Tuple.tuple()
        .addArrayOfUUID(runs)
        .addArrayOfString(statuses)
        .addArrayOfString(summaries)
        .addArrayOfString(errors)
        .addArrayOfLong(seqs)
        .addArrayOfString(data);
  }

  /** State of a receipt as stored. */
  static String word(Change.ReceiptState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }
}
