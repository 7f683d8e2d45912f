package io.fengyu.agent.journal;

import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One append: its events, already as text and numbered, and the changes that go with them. */
final class JournalItem {

  final JournalLog log;
  final OffsetDateTime at;
  final EventType[] types;
  final String[] data;
  final long[] seqs;
  final int[] audits;
  final List<Change> changes;
  final int bytes;

  /** Counters of the log after this append; stored when the run pauses or ends. */
  final long nextSeq;

  final int nextAudit;

  /** Made only when somebody waits for this append; guarded by the log's monitor. */
  @Nullable CompletableFuture<Void> waiting;

  /** Guarded by the log's monitor. */
  boolean settled;

  JournalItem(
      JournalLog log,
      OffsetDateTime at,
      EventType[] types,
      String[] data,
      long[] seqs,
      int[] audits,
      List<Change> changes,
      long nextSeq,
      int nextAudit) {
    this.log = log;
    this.at = at;
    this.types = types;
    this.data = data;
    this.seqs = seqs;
    this.audits = audits;
    this.changes = changes;
    this.nextSeq = nextSeq;
    this.nextAudit = nextAudit;
    this.bytes = size(data, changes);
  }

  /** True when the run pauses or ends with this append. */
  boolean closing() {
    for (var change : changes) {
      if (change instanceof Change.End || change instanceof Change.Gate) {
        return true;
      }
    }
    return false;
  }

  /** True when the run is over with this append. */
  boolean ended() {
    return changes.stream().anyMatch(Change.End.class::isInstance);
  }

  /** What readers of the stream see of it. */
  List<StoredEvent> shown() {
    var events = new ArrayList<StoredEvent>(types.length);
    for (var i = 0; i < types.length; i++) {
      if (seqs[i] >= 0) {
        var row = new StoredEvent(seqs[i], types[i].wire(), data[i], at.toInstant());
        events.addAll(TextPiece.expanded(row));
      }
    }
    return events;
  }

  /** The same append, but for its end: a cancel was accepted before it could be written. */
  JournalItem cancelledInstead() {
    var keptTypes = new ArrayList<EventType>();
    var keptData = new ArrayList<String>();
    for (var i = 0; i < types.length; i++) {
      if (!types[i].terminal()) {
        keptTypes.add(types[i]);
        keptData.add(data[i]);
      }
    }
    for (var event : CancelEvents.all(log.runId(), log.cancelSeen())) {
      keptTypes.add(event.type());
      keptData.add(event.data().toString());
    }
    var instead = new ArrayList<Change>(changes);
    instead.replaceAll(change -> change instanceof Change.End ? CancelEvents.END : change);
    return renumbered(
        keptTypes.toArray(EventType[]::new), keptData.toArray(String[]::new), instead);
  }

  private JournalItem renumbered(EventType[] types, String[] data, List<Change> changes) {
    var seq = nextSeq - Arrays.stream(this.types).filter(EventType::streamed).count();
    var audit = nextAudit - (int) Arrays.stream(this.types).filter(EventType::audited).count();
    var seqs = new long[types.length];
    var audits = new int[types.length];
    for (var i = 0; i < types.length; i++) {
      audits[i] = types[i].audited() ? audit++ : -1;
      seqs[i] = types[i].streamed() ? seq++ : -1L - audits[i];
    }
    var item = new JournalItem(log, at, types, data, seqs, audits, changes, seq, audit);
    log.replace(this, item);
    return item;
  }

  private static int size(String[] data, List<Change> changes) {
    var bytes = 64;
    for (var text : data) {
      bytes += 64 + text.length();
    }
    for (var change : changes) {
      bytes += 256;
      if (change instanceof Change.Plan plan) {
        bytes += plan.text().length();
      }
    }
    return bytes;
  }
}
