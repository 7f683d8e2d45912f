package io.fengyu.agent.journal;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Group commit: whatever all logs of this process have queued is written by one statement, while
 * what comes in the meantime gathers for the next. One statement is under way at a time, on a
 * connection of its own, and it starts at once when the journal is idle: there are no timers.
 */
final class Journal {

  private static final Logger LOG = Logger.getLogger(Journal.class);
  private static final long FIRST_PAUSE_MS = 50;
  private static final long LONGEST_PAUSE_MS = 1000;

  private final Vertx vertx;
  private final Context loop;
  private final JournalConfig config;
  private final Clock clock;
  private final LiveRuns live;
  private final Backlog queue;
  private final BatchWriter writer;
  private final AtomicBoolean busy = new AtomicBoolean();
  private final ConcurrentHashMap<UUID, JournalLog> open = new ConcurrentHashMap<>();
  private volatile JournalListener listener = new JournalListener() {};

  // Used on the loop only.
  private final Retries retries = new Retries();
  private List<JournalItem> unconfirmed = List.of();
  private final List<CompletableFuture<Void>> waitingForRest = new ArrayList<>();
  private long pauseMs = FIRST_PAUSE_MS;

  /**
   * @param announce true when other replicas must be told of new events
   */
  Journal(
      Vertx vertx,
      PgConnectOptions database,
      JournalConfig config,
      Clock clock,
      LiveRuns live,
      BooleanSupplier announce) {
    this.vertx = vertx;
    this.loop = vertx.getOrCreateContext();
    this.config = config;
    this.clock = clock;
    this.live = live;
    this.queue = new Backlog(config.backlogChars());
    this.writer =
        new BatchWriter(
            new JournalConnection(vertx, database, config.statementTimeout()), announce);
  }

  Clock clock() {
    return clock;
  }

  /** Makes the writer of a run that this process holds. */
  JournalLog open(LiveRun run, int generation, UUID executor, long nextSeq, int nextAudit) {
    var log = new JournalLog(this, run.runId(), generation, executor, run, nextSeq, nextAudit);
    open.put(run.runId(), log);
    return log;
  }

  /** Logs that are neither ended, paused nor lost. */
  Collection<JournalLog> openLogs() {
    return open.values();
  }

  @Nullable JournalLog openLog(UUID runId) {
    return open.get(runId);
  }

  /** There is one at most. */
  void listenedToBy(JournalListener by) {
    listener = by;
  }

  /** Shows a fragment that is not stored yet, unless something before it still has to be. */
  void show(LiveRun run, StoredEvent fragment) {
    live.show(run, fragment);
  }

  void later(long ms, Runnable task) {
    vertx.setTimer(ms, fired -> task.run());
  }

  void enqueue(JournalItem item) {
    queue.add(item);
    wake();
  }

  /** Completes once there is room for more. */
  CompletionStage<Void> room() {
    return queue.room();
  }

  /**
   * Stops accepting from these logs, and tells whoever waits for them. What they have queued is
   * still written if the database lets it.
   */
  void lose(Collection<JournalLog> logs) {
    for (var log : logs) {
      if (log.fail(new FencedException(log.runId()))) {
        open.remove(log.runId(), log);
        failWaiting(log);
        listener.broken(log);
      }
    }
  }

  private void failWaiting(JournalLog log) {
    queue.forEach(item -> abandon(log, item));
    loop.runOnContext(now -> retries.forEach(item -> abandon(log, item)));
  }

  private static void abandon(JournalLog log, JournalItem item) {
    if (item.log == log) {
      log.abandon(item);
    }
  }

  private void wake() {
    if (busy.compareAndSet(false, true)) {
      loop.runOnContext(now -> next());
    }
  }

  private void next() {
    if (!unconfirmed.isEmpty()) {
      confirm();
      return;
    }
    var batch = retries.isEmpty() ? drain() : withoutDiscarded(retries.take());
    if (batch == null) {
      rest();
    } else if (batch.isEmpty()) {
      next();
    } else {
      write(batch);
    }
  }

  private void rest() {
    busy.set(false);
    if (queue.isEmpty()) {
      waitingForRest.forEach(waiting -> waiting.complete(null));
      waitingForRest.clear();
    } else {
      wake();
    }
  }

  /** Completes once nothing is queued. */
  CompletionStage<Void> idle() {
    var idle = new CompletableFuture<Void>();
    loop.runOnContext(
        now -> {
          waitingForRest.add(idle);
          wake();
        });
    return idle;
  }

  private @Nullable JournalBatch drain() {
    var first = queue.peek();
    if (first == null) {
      return null;
    }
    var batch = new JournalBatch(first.log.executor());
    for (var item = first; item != null && fits(batch, item); item = queue.peek()) {
      queue.take();
      if (item.log.discards()) {
        discard(item);
      } else {
        batch.add(item);
      }
    }
    return batch;
  }

  private boolean fits(JournalBatch batch, JournalItem item) {
    return batch.isEmpty() || batch.takes(item, config.batchEvents(), config.batchChars());
  }

  private JournalBatch withoutDiscarded(JournalBatch batch) {
    var gone = batch.items().stream().filter(item -> item.log.discards()).toList();
    gone.forEach(this::discard);
    return gone.isEmpty() ? batch : batch.without(gone.stream().map(item -> item.log).toList());
  }

  private void discard(JournalItem item) {
    queue.release(item);
    item.log.dropped(item, new FencedException(item.log.runId()));
  }

  private void write(JournalBatch batch) {
    writer
        .write(batch)
        .onComplete(
            result -> {
              if (result.succeeded()) {
                pauseMs = FIRST_PAUSE_MS;
                written(batch, result.result());
              } else {
                notWritten(batch, result.cause());
              }
            });
  }

  private void written(JournalBatch batch, JournalVerdict verdict) {
    var lost = batch.lost(verdict.held());
    if (lost.isEmpty() && verdict.cancelled().isEmpty()) {
      committed(batch);
    } else {
      var kept = lost.isEmpty() ? batch : dropLost(batch, lost);
      sendAgain(kept.cancelling(verdict.cancelled()));
    }
    next();
  }

  private void sendAgain(JournalBatch batch) {
    if (!batch.isEmpty()) {
      retries.addFirst(batch);
    }
  }

  private JournalBatch dropLost(JournalBatch batch, List<JournalLog> lost) {
    for (var item : batch.items()) {
      if (lost.contains(item.log)) {
        queue.release(item);
        item.log.dropped(item, new FencedException(item.log.runId()));
      }
    }
    lost.forEach(listener::dropped);
    lose(lost);
    return batch.without(lost);
  }

  private void committed(JournalBatch batch) {
    var closing = batch.closing();
    for (var item : batch.items()) {
      queue.release(item);
      if (!item.closing()) {
        live.publish(item.log.live(), item.shown());
      }
      item.log.committed(item);
    }
    unconfirmed = closing;
    closing.forEach(item -> open.remove(item.log.runId(), item.log));
  }

  // Whoever sees the last event of a run may rely on its end having been read back.
  private void confirm() {
    var closing = unconfirmed;
    writer
        .readBack(closing)
        .onComplete(
            result -> {
              if (result.succeeded()) {
                confirmed(closing, result.result());
                next();
              } else {
                LOG.warnf("Stored ends are not read back yet: %s", result.cause().getMessage());
                pause();
              }
            });
  }

  private void confirmed(List<JournalItem> closing, Set<UUID> same) {
    unconfirmed = List.of();
    for (var item : closing) {
      if (item.ended() && !same.contains(item.log.runId())) {
        LOG.errorf("The end of run %s reads back differently", item.log.runId());
      }
      live.publish(item.log.live(), item.shown());
    }
    listener.stored(closing);
  }

  private void notWritten(JournalBatch batch, Throwable cause) {
    if (!DatabaseFailures.isRefusal(cause)) {
      LOG.warnf("Journal waits for the database: %s", cause.getMessage());
      retries.addFirst(batch);
      retries.closingWith(queue).forEach(listener::stuck);
      pause();
    } else if (batch.items().size() > 1) {
      retries.addFirstSingly(batch);
      next();
    } else {
      refused(batch.items().getFirst(), cause);
      next();
    }
  }

  private void refused(JournalItem item, Throwable cause) {
    var run = item.log.runId();
    LOG.errorf(cause, "The database refuses events of run %s", run);
    var why = new IllegalStateException("The journal of run " + run + " is broken", cause);
    queue.release(item);
    item.log.discard();
    if (item.log.fail(why)) {
      open.remove(run, item.log);
      failWaiting(item.log);
      listener.broken(item.log);
    }
    item.log.dropped(item, why);
  }

  private void pause() {
    vertx.setTimer(pauseMs, fired -> next());
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
  }

  /** Closes the connection once nothing is queued; what is queued stays so. */
  void close() {
    loop.runOnContext(now -> writer.close());
  }
}
