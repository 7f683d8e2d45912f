package io.fengyu.agent.journal;

import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Numbers the events of one run and hands them to the {@link Journal}. */
final class JournalLog implements RunLog {

  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  private final Journal journal;
  private final UUID runId;
  private final int generation;
  private final UUID executor;
  private final LiveRun live;

  // Guarded by this monitor, which is never held while blocking.
  private long nextSeq;
  private int nextAudit;
  private int pending;
  private boolean closed;
  private @Nullable JournalItem last;
  private boolean cancelSeen;
  private boolean endedAsCancelled;
  private @Nullable TextPiece piece;

  private volatile @Nullable RuntimeException broken;
  private volatile boolean discards;

  JournalLog(
      Journal journal,
      UUID runId,
      int generation,
      UUID executor,
      LiveRun live,
      long nextSeq,
      int nextAudit) {
    this.journal = journal;
    this.runId = runId;
    this.generation = generation;
    this.executor = executor;
    this.live = live;
    this.nextSeq = nextSeq;
    this.nextAudit = nextAudit;
  }

  @Override
  public UUID runId() {
    return runId;
  }

  @Override
  public int generation() {
    return generation;
  }

  UUID executor() {
    return executor;
  }

  LiveRun live() {
    return live;
  }

  @Override
  public void append(List<Entry> events, List<Change> changes) {
    var size = events.size();
    var types = new EventType[size];
    var data = new String[size];
    for (var i = 0; i < size; i++) {
      types[i] = events.get(i).type();
      data[i] = events.get(i).data().toString();
    }
    var at = OffsetDateTime.ofInstant(journal.clock().instant(), ZoneOffset.UTC);
    enqueue(types, data, at, changes);
  }

  // Numbering and queueing are one step, so that the queue has this log's events in their order.
  private synchronized void enqueue(
      EventType[] types, String[] data, OffsetDateTime at, List<Change> changes) {
    checkOpen();
    storePiece();
    var seqs = new long[types.length];
    var audits = new int[types.length];
    for (var i = 0; i < types.length; i++) {
      audits[i] = types[i].audited() ? nextAudit++ : -1;
      seqs[i] = types[i].streamed() ? nextSeq++ : -1L - audits[i];
      cancelSeen |= types[i] == EventType.CANCEL_REQUESTED;
    }
    put(new JournalItem(this, at, types, data, seqs, audits, changes, nextSeq, nextAudit));
  }

  private void put(JournalItem item) {
    closed = item.closing();
    pending++;
    last = item;
    journal.enqueue(item);
  }

  @Override
  public synchronized void appendText(EventType type, String text) {
    checkOpen();
    var taking = taking(type, text);
    taking.add(text);
    journal.show(live, TextPiece.event(type, nextSeq++, text, journal.clock().instant()));
    if (taking.full()) {
      storePiece();
    }
  }

  private TextPiece taking(EventType type, String text) {
    var begun = piece;
    if (begun != null && begun.takes(type, text)) {
      return begun;
    }
    storePiece();
    var next = new TextPiece(type);
    piece = next;
    journal.later(TextPiece.PATIENCE_MS, () -> storeIfOpen(next));
    return next;
  }

  private synchronized void storeIfOpen(TextPiece due) {
    if (due.equals(piece)) {
      storePiece();
    }
  }

  private void storePiece() {
    var whole = piece;
    piece = null;
    if (whole != null && broken == null) {
      var at = OffsetDateTime.ofInstant(journal.clock().instant(), ZoneOffset.UTC);
      EventType[] types = {whole.type()};
      String[] data = {whole.data()};
      long[] seqs = {nextSeq - 1};
      int[] audits = {-1};
      put(new JournalItem(this, at, types, data, seqs, audits, List.of(), nextSeq, nextAudit));
    }
  }

  /** Queues what an earlier process could not store; the numbers are as they were given then. */
  synchronized void restore(List<JournalItem> items) {
    closed = true;
    for (var item : items) {
      pending++;
      last = item;
      journal.enqueue(item);
    }
  }

  private void checkOpen() {
    var why = broken;
    if (why != null) {
      throw why;
    }
    if (closed) {
      throw new IllegalStateException("Run " + runId + " has ended or is paused");
    }
  }

  @Override
  public synchronized int pending() {
    return pending;
  }

  @Override
  public CompletionStage<Void> room() {
    return journal.room();
  }

  @Override
  public synchronized CompletionStage<Void> durable() {
    var why = broken;
    if (why != null) {
      return CompletableFuture.failedFuture(why);
    }
    storePiece();
    var item = last;
    if (item == null || item.settled) {
      return DONE;
    }
    if (item.waiting == null) {
      item.waiting = new CompletableFuture<>();
    }
    return item.waiting;
  }

  @Override
  public boolean held() {
    return broken == null;
  }

  /** True when the run pauses or ends with what was appended so far. */
  synchronized boolean closed() {
    return closed;
  }

  /** True when the journal tells already that a cancel was requested. */
  synchronized boolean cancelSeen() {
    return cancelSeen;
  }

  @Override
  public synchronized boolean endedAsCancelled() {
    return endedAsCancelled;
  }

  /** Another append is written in the place of this one; who waits for it waits for that. */
  synchronized void replace(JournalItem item, JournalItem instead) {
    endedAsCancelled |= instead.ended();
    instead.waiting = item.waiting;
    if (item.equals(last)) {
      last = instead;
    }
  }

  /** The append is on disk. */
  void committed(JournalItem item) {
    CompletableFuture<Void> waiting;
    synchronized (this) {
      item.settled = true;
      pending--;
      waiting = item.waiting;
    }
    var why = broken;
    if (waiting != null && why == null) {
      waiting.complete(null);
    } else if (waiting != null) {
      waiting.completeExceptionally(why);
    }
  }

  /** Refuses everything from now on; true for the first call only. */
  boolean fail(RuntimeException why) {
    synchronized (this) {
      if (broken != null) {
        return false;
      }
      broken = why;
    }
    return true;
  }

  /**
   * From now on nothing of this log is written: what follows a refused event would leave a hole.
   */
  void discard() {
    discards = true;
  }

  boolean discards() {
    return discards;
  }

  /** Nobody waits for the append any more; whether it will be on disk is open. */
  void abandon(JournalItem item) {
    CompletableFuture<Void> waiting;
    synchronized (this) {
      waiting = item.waiting;
    }
    if (waiting != null) {
      waiting.completeExceptionally(new FencedException(runId));
    }
  }

  /** The append will never be on disk. */
  void dropped(JournalItem item, RuntimeException why) {
    CompletableFuture<Void> waiting;
    synchronized (this) {
      item.settled = true;
      pending--;
      waiting = item.waiting;
    }
    if (waiting != null) {
      waiting.completeExceptionally(why);
    }
  }
}
