package io.fengyu.chat.journal;

import io.fengyu.contract.db.Listener;
import io.fengyu.contract.instance.Instances;
import io.fengyu.contract.net.Drain;
import io.micrometer.core.instrument.MeterRegistry;
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
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** All clients of this replica that read turns. */
@ApplicationScoped
class TurnStreams {

  private static final long LOOK_ELSEWHERE_MS = 1000;
  private static final long FRAGMENTS_COME_MS = 100;
  private static final int LOOKS = 10;

  // One probe of the primary key per watched turn.
  private static final String NEWEST =
      """
      SELECT w.id, coalesce((SELECT max(seq) FROM chat.turn_event e WHERE e.turn_id = w.id), -1)
        FROM unnest($1::uuid[]) AS w (id)""";

  private final Vertx vertx;
  private final Pool pool;
  private final LiveTurns live;
  private final TurnPages pages;
  private final TurnConfig config;
  private final Instances instances;
  private final Listener listener;
  private final Set<TurnStream> open = ConcurrentHashMap.newKeySet();
  private final ConcurrentHashMap<String, Integer> perOwner = new ConcurrentHashMap<>();
  private volatile Map<UUID, Long> newestElsewhere = Map.of();
  private volatile boolean looking;
  private volatile boolean draining;

  TurnStreams(
      Vertx vertx,
      Pool pool,
      LiveTurns live,
      TurnPages pages,
      TurnConfig config,
      Instances instances,
      Listener listener,
      MeterRegistry metrics) {
    this.vertx = vertx;
    this.pool = pool;
    this.live = live;
    this.pages = pages;
    this.config = config;
    this.instances = instances;
    this.listener = listener;
    metrics.gaugeCollectionSize(
        "fengyu.sse.connections", io.micrometer.core.instrument.Tags.empty(), open);
  }

  void start(@Observes StartupEvent started) {
    listener.listen("chat_turn", id -> live.wake(UUID.fromString(id)), live::wakeAll);
    vertx.setPeriodic(config.streamHeartbeat().toMillis() / 4, tick -> check());
    vertx.setPeriodic(LOOK_ELSEWHERE_MS, tick -> lookElsewhere());
  }

  void stop(@Observes Drain step) {
    if (step == Drain.CLOSED) {
      draining = true;
      open.forEach(TurnStream::drain);
    }
  }

  /** Checks owner and cursor and takes over the response; what fails is answered by the caller. */
  Uni<Void> read(String owner, UUID id, Cursor asked, HttpServerResponse response) {
    var turn = live.find(id);
    if (turn != null
        && turn.owner().equals(owner)
        && asked.readable()
        && asked.seq() <= turn.lastVisible()) {
      return follow(owner, id, asked.seq(), false, response);
    }
    return window(owner, id, asked, LOOKS)
        .chain(window -> enter(owner, id, asked, window, response));
  }

  // A client that comes from the executing replica may be some fragments ahead of the table.
  private Uni<TurnPages.@Nullable Window> window(String owner, UUID id, Cursor asked, int looks) {
    return pages
        .window(owner, id)
        .chain(
            window ->
                window != null
                        && asked.readable()
                        && asked.seq() > window.last()
                        && !window.ended()
                        && looks > 0
                    ? aMoment().chain(() -> window(owner, id, asked, looks - 1))
                    : Uni.createFrom().item(window));
  }

  // On the context of the connection, which everything after it needs.
  private Uni<Void> aMoment() {
    return Uni.createFrom()
        .emitter(moment -> vertx.setTimer(FRAGMENTS_COME_MS, fired -> moment.complete(null)));
  }

  private Uni<Void> enter(
      String owner,
      UUID id,
      Cursor asked,
      TurnPages.@Nullable Window window,
      HttpServerResponse response) {
    if (window == null) {
      throw TurnProblems.unknown(id.toString());
    }
    if (!asked.readable() || !window.holds(asked.seq())) {
      return refuse(id, asked, response);
    }
    return follow(owner, id, asked.seq(), window.ended(), response);
  }

  private static Uni<Void> refuse(UUID id, Cursor asked, HttpServerResponse response) {
    if (asked.inQuery()) {
      throw TurnProblems.replayUnavailable(id, asked.text());
    }
    TurnStream.refuse(response, lostFragments(id));
    return Uni.createFrom().voidItem();
  }

  /** The data of the frame that says that a stream cannot go on. */
  static String lostFragments(UUID id) {
    return TurnEnd.failure(
            "REPLAY_UNAVAILABLE", "UNKNOWN", "These events are not kept; read the turn instead")
        .put("snapshot", "/api/ai/runs/" + id)
        .toString();
  }

  private Uni<Void> follow(
      String owner, UUID id, long cursor, boolean ended, HttpServerResponse response) {
    take(owner);
    return Uni.createFrom()
        .emitter(
            over -> {
              var stream = new TurnStream[1];
              Context context = vertx.getOrCreateContext();
              stream[0] =
                  new TurnStream(
                      id,
                      response,
                      context,
                      live,
                      pages,
                      cursor,
                      ended,
                      () -> {
                        open.remove(stream[0]);
                        giveBack(owner);
                        over.complete(null);
                      });
              open.add(stream[0]);
              response.closeHandler(closed -> stream[0].gone());
              context.runOnContext(now -> stream[0].open());
            });
  }

  private void take(String owner) {
    if (draining) {
      throw TurnProblems.unavailable();
    }
    var limit = config.streamsPerOwner();
    if (perOwner.merge(owner, 1, Integer::sum) > limit) {
      giveBack(owner);
      throw TurnProblems.tooManyStreams(limit);
    }
  }

  private void giveBack(String owner) {
    perOwner.computeIfPresent(owner, (who, count) -> count > 1 ? count - 1 : null);
  }

  private void check() {
    var now = System.nanoTime();
    var silence = config.streamHeartbeat().toNanos() * 3 / 4;
    var stall = config.streamStall().toNanos();
    open.forEach(stream -> stream.check(now, silence, stall));
  }

  // A lost notification delays, but never loses.
  private void lookElsewhere() {
    if (open.isEmpty() || looking || instances.liveReplicas() < 2) {
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
        (turn, seq) -> {
          if (!seq.equals(before.get(turn))) {
            live.wake(turn);
          }
        });
  }
}
