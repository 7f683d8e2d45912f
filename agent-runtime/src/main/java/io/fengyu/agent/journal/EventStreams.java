package io.fengyu.agent.journal;

import io.fengyu.contract.db.Listener;
import io.fengyu.contract.net.Drain;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** All clients of this replica that watch runs. */
@ApplicationScoped
class EventStreams {

  private static final long LOOK_ELSEWHERE_MS = 1000;
  private static final long FRAGMENTS_COME_MS = 100;
  private static final int LOOKS = 10;

  // One probe of the primary key per watched run.
  private static final String NEWEST =
      """
      SELECT w.id, coalesce((SELECT max(seq) FROM agent.run_event e WHERE e.run_id = w.id), -1) AS seq
        FROM unnest($1::uuid[]) AS w (id)""";

  private final Vertx vertx;
  private final Pool pool;
  private final LiveRuns live;
  private final EventPages pages;
  private final JournalConfig config;
  private final StreamSlots slots;
  private final Replicas replicas;
  private final Listener listener;
  private final Clock clock;
  private final Timer lag;
  private final Set<EventStream> open = ConcurrentHashMap.newKeySet();
  private volatile Map<UUID, Long> newestElsewhere = Map.of();
  private volatile boolean looking;

  EventStreams(
      Vertx vertx,
      Pool pool,
      LiveRuns live,
      EventPages pages,
      JournalConfig config,
      StreamSlots slots,
      Replicas replicas,
      Listener listener,
      Clock clock,
      MeterRegistry metrics) {
    this.vertx = vertx;
    this.pool = pool;
    this.live = live;
    this.pages = pages;
    this.config = config;
    this.slots = slots;
    this.replicas = replicas;
    this.listener = listener;
    this.clock = clock;
    this.lag = metrics.timer("fengyu.events.notify_lag");
  }

  void start(@Observes StartupEvent started) {
    listener.listen("agent_run", id -> live.wake(UUID.fromString(id)), live::wakeAll);
    vertx.setPeriodic(config.streamHeartbeat().toMillis() / 4, tick -> check());
    vertx.setPeriodic(LOOK_ELSEWHERE_MS, tick -> lookElsewhere());
  }

  void stop(@Observes Drain step) {
    if (step == Drain.CLOSED) {
      drain();
    }
  }

  /** Ends all streams, so that their clients come back to another replica. */
  void drain() {
    open.forEach(EventStream::drain);
  }

  /**
   * Checks owner and cursor and takes over the response; what fails is answered by the caller.
   *
   * @param asked where the client wants to go on
   */
  Uni<Void> watch(String owner, UUID runId, Cursor asked, HttpServerResponse response) {
    var run = live.find(runId);
    if (run != null && run.owner().equals(owner) && asked.within(run.lastSeq())) {
      return follow(owner, runId, asked.seq(), false, response);
    }
    return window(owner, runId, asked, LOOKS)
        .chain(window -> enter(owner, runId, asked, window, response));
  }

  // A client that comes from the executing replica may be some fragments ahead of the table.
  private Uni<EventPages.@Nullable Window> window(
      String owner, UUID runId, Cursor asked, int looks) {
    return pages
        .window(owner, runId)
        .chain(
            window ->
                window != null && ahead(asked, window) && looks > 0
                    ? aMoment().chain(() -> window(owner, runId, asked, looks - 1))
                    : Uni.createFrom().item(window));
  }

  private boolean ahead(Cursor asked, EventPages.Window window) {
    return asked.readable() && asked.seq() > window.last() && !window.ended() && replicas.others();
  }

  // On the context of the connection, which everything after it needs.
  private Uni<Void> aMoment() {
    return Uni.createFrom()
        .emitter(moment -> vertx.setTimer(FRAGMENTS_COME_MS, fired -> moment.complete(null)));
  }

  private Uni<Void> enter(
      String owner,
      UUID runId,
      Cursor asked,
      EventPages.@Nullable Window window,
      HttpServerResponse response) {
    if (window == null) {
      throw RunProblems.notFound(runId.toString());
    }
    if (!asked.readable() || !window.holds(asked.seq())) {
      return refuse(runId, asked, response);
    }
    return follow(owner, runId, asked.seq(), window.ended(), response);
  }

  private static Uni<Void> refuse(UUID runId, Cursor asked, HttpServerResponse response) {
    var reason = "the events after " + asked.text() + " are not kept";
    if (asked.inQuery()) {
      throw RunProblems.replayUnavailable(runId, reason);
    }
    EventStream.refuse(response, "replay_unavailable", RunProblems.replayFrame(runId, reason));
    return Uni.createFrom().voidItem();
  }

  private Uni<Void> follow(
      String owner, UUID runId, long cursor, boolean ended, HttpServerResponse response) {
    slots.take(owner);
    return Uni.createFrom()
        .emitter(
            over -> {
              var stream = new EventStream[1];
              Context context = vertx.getOrCreateContext();
              stream[0] =
                  new EventStream(
                      runId,
                      response,
                      context,
                      live,
                      pages,
                      cursor,
                      ended,
                      this::announced,
                      () -> {
                        open.remove(stream[0]);
                        slots.giveBack(owner);
                        over.complete(null);
                      });
              open.add(stream[0]);
              response.closeHandler(closed -> stream[0].gone());
              context.runOnContext(now -> stream[0].open());
            });
  }

  private void announced(Instant committed) {
    var since = Duration.between(committed, clock.instant());
    lag.record(since.isNegative() ? Duration.ZERO : since);
  }

  private void check() {
    var now = System.nanoTime();
    var silence = config.streamHeartbeat().toNanos() * 3 / 4;
    var stall = config.streamStall().toNanos();
    open.forEach(stream -> stream.check(now, silence, stall));
  }

  // A lost notification delays, but never loses.
  private void lookElsewhere() {
    if (open.isEmpty() || looking || !replicas.others()) {
      return;
    }
    var watched = live.watchedElsewhere();
    if (watched.isEmpty()) {
      return;
    }
    looking = true;
    pool.preparedQuery(NEWEST)
        .execute(Tuple.tuple().addArrayOfUUID(watched.toArray(UUID[]::new)))
        .onTermination()
        .invoke(() -> looking = false)
        .subscribe()
        .with(this::wakeWhoIsBehind, failure -> {});
  }

  private void wakeWhoIsBehind(RowSet<Row> rows) {
    var newest = new HashMap<UUID, Long>();
    for (var row : rows) {
      newest.put(row.getUUID(0), row.getLong(1));
    }
    var before = newestElsewhere;
    newestElsewhere = newest;
    newest.forEach(
        (run, seq) -> {
          if (!seq.equals(before.get(run))) {
            live.wake(run);
          }
        });
  }
}
