package io.fengyu.agent.journal;

import com.fasterxml.jackson.databind.JsonNode;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Keeps the ends of runs through an absence of the database and a restart of this process. */
final class Spooling {

  private static final Logger LOG = Logger.getLogger(Spooling.class);

  private final Spool spool;
  private final Journal journal;
  private final Set<UUID> kept = ConcurrentHashMap.newKeySet();

  Spooling(Spool spool, Journal journal) {
    this.spool = spool;
    this.journal = journal;
  }

  /** These appends of one run, the last of which ends or pauses it, cannot be stored right now. */
  void stuck(List<JournalItem> items) {
    var run = items.getFirst().log.runId();
    if (kept.add(run)) {
      inBackground(() -> keep(run, items));
    }
  }

  private void keep(UUID run, List<JournalItem> items) {
    LOG.warnf("The end of run %s is kept on disk until it can be stored", run);
    try {
      spool.keep(items);
    } catch (RuntimeException full) {
      kept.remove(run);
      throw full;
    }
  }

  /** The run's end was read back, or will never be written. */
  void settled(UUID run) {
    if (kept.remove(run)) {
      inBackground(() -> spool.drop(run));
    }
  }

  private static void inBackground(Runnable task) {
    Thread.ofVirtual()
        .name("spool")
        .start(
            () -> {
              try {
                task.run();
              } catch (RuntimeException failed) {
                LOG.error("The spool cannot be used", failed);
              }
            });
  }

  /** Stores what an earlier process kept; emits when all of it is stored or refused. */
  Uni<Void> drain() {
    return Uni.createFrom()
        .item(spool::all)
        .runSubscriptionOn(Infrastructure.getDefaultWorkerPool())
        .chain(all -> Uni.createFrom().completionStage(() -> drain(all)));
  }

  private CompletionStage<Void> drain(List<Spool.Kept> all) {
    var stored = all.stream().map(this::store).toArray(CompletableFuture[]::new);
    return CompletableFuture.allOf(stored);
  }

  private CompletableFuture<Void> store(Spool.Kept run) {
    kept.add(run.runId());
    var live = new LiveRun(run.runId(), run.owner(), -1);
    live.leave();
    var log = new JournalLog(journal, run.runId(), run.generation(), run.executor(), live, 0, 0);
    var items = new ArrayList<JournalItem>();
    run.appends().forEach(append -> items.add(read(log, append)));
    log.restore(items);
    return log.durable()
        .toCompletableFuture()
        .exceptionally(refused -> refused(run.runId(), refused));
  }

  private @Nullable Void refused(UUID run, Throwable why) {
    LOG.warnf("What was kept of run %s is not stored: %s", run, why.getMessage());
    settled(run);
    return null;
  }

  private static JournalItem read(JournalLog log, JsonNode append) {
    var events = append.path("events");
    var types = new EventType[events.size()];
    var data = new String[events.size()];
    var seqs = new long[events.size()];
    var audits = new int[events.size()];
    for (var i = 0; i < types.length; i++) {
      var event = events.get(i);
      types[i] = EventType.valueOf(event.path("type").asText());
      data[i] = event.path("data").asText();
      seqs[i] = event.path("seq").asLong();
      audits[i] = event.path("audit").asInt();
    }
    var changes = new ArrayList<Change>();
    append.path("changes").forEach(change -> changes.add(SpooledChange.read(change)));
    return new JournalItem(
        log,
        OffsetDateTime.parse(append.path("at").asText()),
        types,
        data,
        seqs,
        audits,
        changes,
        append.path("nextSeq").asLong(),
        append.path("nextAudit").asInt());
  }
}
