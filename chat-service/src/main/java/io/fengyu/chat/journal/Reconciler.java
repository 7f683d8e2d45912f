package io.fengyu.chat.journal;

import io.fengyu.contract.db.Migrations;
import io.fengyu.contract.instance.Instances;
import io.fengyu.contract.net.Drain;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jboss.logging.Logger;

/** Ends the turns of processes that died, and removes what is old. */
@ApplicationScoped
class Reconciler {

  private static final Logger LOG = Logger.getLogger(Reconciler.class);
  private static final Duration SWEEP_EVERY = Duration.ofMinutes(10);
  private static final Duration OWN_WITHIN = Duration.ofSeconds(3);

  // The whole of turn_unfinished, which is as small as what runs right now. What this process began
  // and let go of, because the database was away for long, is over too.
  private static final String ABANDONED =
      """
      SELECT t.id FROM chat.turn t
       WHERE t.ended_at IS NULL
         AND CASE WHEN t.executor = $1 THEN t.started_at < now() - interval '30 seconds'
                  ELSE NOT EXISTS (SELECT FROM platform.instances i
                                    WHERE i.id = t.executor
                                      AND i.heartbeat_at
                                          > now() - $2::float8 * interval '1 millisecond')
             END
       LIMIT 1000\
      """;

  // Against the journal of a process that is only slow: its batch comes before this, or not at all.
  private static final String HOLD =
      """
      SELECT t.id FROM chat.turn t
       WHERE t.id = $1 AND t.ended_at IS NULL
         AND (t.executor = $2
              OR NOT EXISTS (SELECT FROM platform.instances i
                              WHERE i.id = t.executor
                                AND i.heartbeat_at > now() - $3::float8 * interval '1 millisecond'))
         FOR NO KEY UPDATE SKIP LOCKED\
      """;

  private static final String EVENTS =
      """
      SELECT type, data FROM chat.turn_event
       WHERE turn_id = $1 AND type = 'token'
       ORDER BY seq\
      """;

  private static final String INTERRUPT =
      """
      WITH ended AS (
        UPDATE chat.turn
           SET status = $2, error = $3, text = $4, ended_at = now()
         WHERE id = $1
        RETURNING id, owner, conversation_id),
      last AS (
        INSERT INTO chat.turn_event (turn_id, first, seq, type, data)
        SELECT e.id, s.next, s.next, 'error', $3
          FROM ended e
         CROSS JOIN LATERAL (SELECT coalesce(max(seq), -1) + 1 AS next
                               FROM chat.turn_event WHERE turn_id = e.id) s),
      shut AS (
        UPDATE chat.approval SET decision = 'expired', decided_at = clock_timestamp()
         WHERE turn_id = $1 AND decision IS NULL)
      SELECT owner, conversation_id, pg_notify('chat_turn', id::text) FROM ended\
      """;

  private static final String CANCELLED = "SELECT cancel_requested FROM chat.turn WHERE id = $1";

  // Index turn_with_old_events.
  private static final String OLD_EVENTS =
      """
      WITH old AS (
        SELECT id FROM chat.turn
         WHERE ended_at < now() - $1::float8 * interval '1 millisecond' AND NOT events_gone
         ORDER BY ended_at
         LIMIT 200
           FOR NO KEY UPDATE SKIP LOCKED),
      gone AS (DELETE FROM chat.turn_event e USING old WHERE e.turn_id = old.id)
      UPDATE chat.turn t SET events_gone = true FROM old WHERE t.id = old.id\
      """;

  // Index turn_alone.
  private static final String OLD_TURNS =
      """
      WITH old AS (
        SELECT id FROM chat.turn
         WHERE ended_at < now() - $1::float8 * interval '1 millisecond'
           AND conversation_id IS NULL AND events_gone
         ORDER BY ended_at
         LIMIT 200
           FOR UPDATE SKIP LOCKED),
      answers AS (DELETE FROM chat.approval a USING old WHERE a.turn_id = old.id)
      DELETE FROM chat.turn t USING old WHERE t.id = old.id\
      """;

  private final Pool pool;
  private final Instances instances;
  private final Migrations migrations;
  private final LiveTurns live;
  private final TurnConfig config;
  private final List<TurnPart> parts;
  private final Clock clock;
  private volatile Instant nextSweep = Instant.EPOCH;
  private volatile Instant nextLook = Instant.EPOCH;

  Reconciler(
      Pool pool,
      Instances instances,
      Migrations migrations,
      LiveTurns live,
      TurnConfig config,
      @io.quarkus.arc.All List<TurnPart> parts,
      Clock clock) {
    this.pool = pool;
    this.instances = instances;
    this.migrations = migrations;
    this.live = live;
    this.config = config;
    this.parts = parts;
    this.clock = clock;
  }

  void start(@Observes StartupEvent started) {
    instances.onHeartbeat(this::look);
  }

  private Uni<Void> look() {
    var now = clock.instant();
    if (!migrations.complete() || now.isBefore(nextLook)) {
      return Uni.createFrom().voidItem();
    }
    nextLook = now.plus(instances.leaseTtl().dividedBy(3));
    return interruptAbandoned().chain(this::sweepIfDue);
  }

  /** Ends what nobody executes any more. */
  Uni<Void> interruptAbandoned() {
    return pool.preparedQuery(ABANDONED)
        .execute(Tuple.of(instances.id(), ttl()))
        .onItem()
        .transformToMulti(rows -> Multi.createFrom().iterable(rows))
        .filter(row -> live.find(row.getUUID(0)) == null)
        .onItem()
        .transformToUniAndConcatenate(row -> interrupt(row.getUUID(0)))
        .collect()
        .last()
        .replaceWithVoid();
  }

  private double ttl() {
    return instances.leaseTtl().toMillis();
  }

  private Uni<Void> interrupt(UUID id) {
    return pool.withTransaction(connection -> interrupt(connection, id));
  }

  private Uni<Void> interrupt(SqlConnection connection, UUID id) {
    return connection
        .preparedQuery(HOLD)
        .execute(Tuple.of(id, instances.id(), ttl()))
        .chain(rows -> rows.rowCount() == 0 ? Uni.createFrom().voidItem() : end(connection, id));
  }

  private Uni<Void> end(SqlConnection connection, UUID id) {
    return connection
        .preparedQuery(CANCELLED)
        .execute(Tuple.of(id))
        .map(rows -> rows.iterator().next().getBoolean(0))
        .chain(
            cancelled ->
                connection
                    .preparedQuery(EVENTS)
                    .execute(Tuple.of(id))
                    .map(
                        rows ->
                            rows.stream()
                                .map(row -> String.join("", TextPiece.read(row.getString("data"))))
                                .reduce("", String::concat))
                    .chain(text -> end(connection, id, cancelled, text)));
  }

  private Uni<Void> end(SqlConnection connection, UUID id, boolean cancelled, String text) {
    var status = cancelled ? TurnStatus.CANCELLED : TurnStatus.INTERRUPTED;
    var error = cancelled ? TurnEnd.cancelled() : TurnEnd.interrupted();
    return connection
        .preparedQuery(INTERRUPT)
        .execute(Tuple.of(id, status.name(), error.toString(), TurnStore.storable(text)))
        .chain(
            rows -> {
              var row = rows.iterator().next();
              var owner = row.getString("owner");
              var conversation = row.getString("conversation_id");
              var ending = new TurnPart.Ending(id, owner, conversation, status, text);
              var all = Uni.createFrom().voidItem();
              for (var part : parts) {
                all = all.chain(() -> part.end(connection, ending));
              }
              return all.chain(() -> TurnStore.leave(connection, owner, conversation, id));
            });
  }

  // What still runs when the time of an orderly stop is over.
  void stop(@Observes Drain step) {
    if (step != Drain.DEADLINE) {
      return;
    }
    for (var turn : List.copyOf(live.all())) {
      turn.lose();
      live.remove(turn);
      try {
        interrupt(turn.id()).await().atMost(OWN_WITHIN);
      } catch (RuntimeException later) {
        LOG.warnf("A turn is declared interrupted by others: %s", later.getMessage());
      }
    }
  }

  private Uni<Void> sweepIfDue() {
    var now = clock.instant();
    if (now.isBefore(nextSweep)) {
      return Uni.createFrom().voidItem();
    }
    nextSweep = now.plus(SWEEP_EVERY);
    return sweep();
  }

  /** Removes what is older than it has to be, some at a time. */
  Uni<Void> sweep() {
    return remove(OLD_EVENTS, config.eventRetention())
        .chain(() -> remove(OLD_TURNS, config.turnRetention()));
  }

  private Uni<Void> remove(String sql, Duration age) {
    return pool.preparedQuery(sql)
        .execute(Tuple.of((double) age.toMillis()))
        .chain(rows -> rows.rowCount() >= 200 ? remove(sql, age) : Uni.createFrom().voidItem());
  }
}
