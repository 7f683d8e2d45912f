package io.fengyu.chat.journal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.db.DatabaseAway;
import io.fengyu.contract.db.Listener;
import io.fengyu.contract.instance.Instances;
import io.fengyu.contract.instance.LeaseDanger;
import io.fengyu.contract.net.Drain;
import io.fengyu.contract.net.Draining;
import io.quarkus.arc.All;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Begins turns, ends them, and stops them from any replica. */
@ApplicationScoped
public class TurnStore {

  private static final Duration AWAY_AT_MOST = Duration.ofSeconds(60);

  // One after the other for an owner, so that the bound is exact on all replicas together.
  private static final String LOCK_OWNER = "SELECT pg_advisory_xact_lock(hashtextextended($1, 11))";

  // Index turn_unfinished.
  private static final String UNFINISHED =
      """
      SELECT count(*)::int FROM (
        SELECT FROM chat.turn WHERE owner = $1 AND ended_at IS NULL LIMIT $2) open\
      """;

  // The function belongs to agent-runtime: runs and turns share conversations.
  private static final String ENTER = "SELECT agent.begin_run($1, $2, $3)";

  private static final String INSERT =
      """
      INSERT INTO chat.turn (id, owner, conversation_id, executor, input, options)
      VALUES ($1, $2, $3, $4, $5, $6)\
      """;

  // Index turn_of_conversation.
  private static final String SUPERSEDE =
      """
      UPDATE chat.turn SET superseded_by = $4
       WHERE id = $3 AND ended_at IS NOT NULL AND superseded_by IS NULL
         AND id = (SELECT id FROM chat.turn
                    WHERE owner = $1 AND conversation_id = $2 AND id <> $4
                      AND superseded_by IS NULL
                    ORDER BY started_at DESC
                    LIMIT 1)\
      """;

  private static final String SETTLE =
      """
      UPDATE chat.start_claim SET status = 200, answer = $5, subject = $6
       WHERE owner = $1 AND route = $2 AND key_digest = $3 AND holder = $4
         AND status IS NULL AND cancelled_at IS NULL\
      """;

  // An accepted cancel beats every other end.
  private static final String END =
      """
      UPDATE chat.turn
         SET status = $3, text = $4, error = $5, record = $6, ended_at = now()
       WHERE id = $1 AND executor = $2 AND ended_at IS NULL
         AND (NOT cancel_requested OR $3 <> 'COMPLETED')
      RETURNING conversation_id\
      """;

  private static final String LAST_EVENT =
      """
      WITH put AS (
        INSERT INTO chat.turn_event (turn_id, first, seq, type, data) VALUES ($1, $2, $2, $3, $4)),
      old AS (DELETE FROM chat.turn_event WHERE turn_id = $1 AND seq <= $5),
      shut AS (
        UPDATE chat.approval SET decision = 'cancelled', decided_at = clock_timestamp()
         WHERE turn_id = $1 AND decision IS NULL)
      SELECT CASE WHEN $6::boolean THEN pg_notify('chat_turn', $1::text) END\
      """;

  private static final String LEAVE = "SELECT agent.end_run($1, $2, $3)";

  private static final String STATE =
      "SELECT ended_at IS NULL AS open, executor = $2 AS mine FROM chat.turn WHERE id = $1";

  private static final String CANCEL =
      """
      WITH asked AS (
        UPDATE chat.turn SET cancel_requested = true
         WHERE id = $1 AND owner = $2 AND ended_at IS NULL
        RETURNING id)
      SELECT id, pg_notify('chat_stop', id::text) FROM asked\
      """;

  private static final String CANCELLED_HERE =
      """
      SELECT id FROM chat.turn
       WHERE executor = $1 AND ended_at IS NULL AND cancel_requested\
      """;

  private static final String PAUSE =
      """
      UPDATE chat.turn SET status = $3
       WHERE id = $1 AND executor = $2 AND ended_at IS NULL AND status <> $3\
      """;

  private static final String FIND = StoredTurn.COLUMNS + " WHERE t.id = $1 AND t.owner = $2";

  private static final String ACTIVE =
      StoredTurn.COLUMNS
          + " WHERE t.owner = $1 AND t.conversation_id = $2 AND t.ended_at IS NULL LIMIT 1";

  private final Pool pool;
  private final LiveTurns live;
  private final TurnJournal journal;
  private final Instances instances;
  private final Listener listener;
  private final TurnConfig config;
  private final List<TurnPart> parts;
  private volatile boolean closed;

  TurnStore(
      Pool pool,
      LiveTurns live,
      TurnJournal journal,
      Instances instances,
      Listener listener,
      Draining draining,
      TurnConfig config,
      @All List<TurnPart> parts) {
    this.pool = pool;
    this.live = live;
    this.journal = journal;
    this.instances = instances;
    this.listener = listener;
    this.config = config;
    this.parts = parts;
    draining.awaits(live::size);
  }

  void start(@Observes StartupEvent started) {
    listener.listen("chat_stop", id -> stop(UUID.fromString(id)), () -> {});
    instances.onHeartbeat(this::stopCancelled);
  }

  private void stop(UUID id) {
    var turn = live.find(id);
    if (turn != null) {
      turn.stop();
    }
  }

  // A notification may have been lost, or have come before the turn was known here.
  private Uni<Void> stopCancelled() {
    if (live.size() == 0) {
      return Uni.createFrom().voidItem();
    }
    return pool.preparedQuery(CANCELLED_HERE)
        .execute(Tuple.of(instances.id()))
        .invoke(rows -> rows.forEach(row -> stop(row.getUUID(0))))
        .replaceWithVoid();
  }

  // Others will soon declare these turns over: whatever is said from now on would not count.
  void endangered(@Observes LeaseDanger danger) {
    List.copyOf(live.all()).forEach(this::lost);
  }

  void drained(@Observes Drain step) {
    closed = closed || step == Drain.CLOSED;
  }

  private void lost(LiveTurn turn) {
    turn.lose();
    live.remove(turn);
  }

  /**
   * Begins a turn, with everything that belongs to it, or refuses it with a problem.
   *
   * @param body what the client sent
   * @param answer what the client is told; remembered for repetitions
   */
  public Uni<LiveTurn> begin(NewTurn turn, ObjectNode body, ObjectNode answer) {
    if (closed) {
      throw TurnProblems.unavailable();
    }
    return pool.withTransaction(connection -> begin(connection, turn, body, answer))
        .map(
            begun -> {
              var opened = new LiveTurn(turn.id(), turn.owner(), journal);
              live.add(opened);
              return opened;
            });
  }

  private Uni<Void> begin(
      SqlConnection connection, NewTurn turn, ObjectNode body, ObjectNode answer) {
    var limit = config.unfinishedPerOwner();
    var beginning =
        new TurnPart.Beginning(turn.id(), turn.owner(), turn.conversationId(), body, answer);
    return connection
        .preparedQuery(LOCK_OWNER)
        .execute(Tuple.of(turn.owner()))
        .chain(
            locked -> connection.preparedQuery(UNFINISHED).execute(Tuple.of(turn.owner(), limit)))
        .invoke(
            rows -> {
              if (rows.iterator().next().getInteger(0) >= limit) {
                throw TurnProblems.tooManyTurns(limit);
              }
            })
        .chain(() -> enter(connection, turn))
        .chain(() -> connection.preparedQuery(INSERT).execute(row(turn)))
        .chain(() -> supersede(connection, turn))
        .chain(() -> each(part -> part.begin(connection, beginning)))
        .chain(() -> settle(connection, turn, answer));
  }

  private Uni<Void> enter(SqlConnection connection, NewTurn turn) {
    var conversation = turn.conversationId();
    if (conversation == null) {
      return Uni.createFrom().voidItem();
    }
    return connection
        .preparedQuery(ENTER)
        .execute(Tuple.of(turn.owner(), conversation, turn.id().toString()))
        .map(rows -> rows.iterator().next().getBoolean(0))
        .chain(
            free ->
                free
                    ? Uni.createFrom().voidItem()
                    : connection
                        .preparedQuery(ACTIVE)
                        .execute(Tuple.of(turn.owner(), conversation))
                        .chain(
                            rows ->
                                Uni.createFrom()
                                    .failure(
                                        TurnProblems.busy(conversation, StoredTurn.first(rows)))));
  }

  private Tuple row(NewTurn turn) {
    return Tuple.tuple()
        .addUUID(turn.id())
        .addString(turn.owner())
        .addString(turn.conversationId())
        .addUUID(instances.id())
        .addString(storable(turn.input()))
        .addString(turn.options());
  }

  private static Uni<Void> supersede(SqlConnection connection, NewTurn turn) {
    var edited = turn.edits();
    if (edited == null) {
      return Uni.createFrom().voidItem();
    }
    return connection
        .preparedQuery(SUPERSEDE)
        .execute(Tuple.of(turn.owner(), turn.conversationId(), edited, turn.id()))
        .invoke(
            rows -> {
              if (rows.rowCount() == 0) {
                throw TurnProblems.notLatest(edited.toString());
              }
            })
        .replaceWithVoid();
  }

  private interface Share {
    Uni<Void> of(TurnPart part);
  }

  private Uni<Void> each(Share share) {
    var all = Uni.createFrom().voidItem();
    for (var part : parts) {
      all = all.chain(() -> share.of(part));
    }
    return all;
  }

  private static Uni<Void> settle(SqlConnection connection, NewTurn turn, ObjectNode answer) {
    var all = Uni.createFrom().voidItem();
    for (var claim : turn.claims()) {
      var key = claim.key();
      var values =
          Tuple.tuple()
              .addString(key.owner())
              .addString(key.route())
              .addBuffer(Buffer.buffer(key.digest().bytes()))
              .addUUID(claim.holder())
              .addString(answer.toString())
              .addUUID(turn.id());
      all =
          all.chain(() -> connection.preparedQuery(SETTLE).execute(values))
              .invoke(
                  rows -> {
                    if (rows.rowCount() == 0) {
                      throw TurnProblems.startLost();
                    }
                  })
              .replaceWithVoid();
    }
    return all;
  }

  /** How ending a turn came out. */
  public enum Ended {
    /** As was asked. */
    AS_ASKED,
    /** Not yet: its owner has stopped it, and it has to end as cancelled. */
    CANCELLED_FIRST,
    /** It was over already, or is another process's. */
    LOST
  }

  /** Stores how a turn ends and shows its last event; tries for a while when it cannot. */
  public Uni<Ended> end(LiveTurn turn, TurnEnd end) {
    return Uni.createFrom()
        .completionStage(turn::flushed)
        .chain(() -> DatabaseAway.outwaited(endOnce(turn, end), AWAY_AT_MOST))
        .invoke(
            ended -> {
              if (ended == Ended.LOST) {
                lost(turn);
              } else if (ended == Ended.AS_ASKED) {
                live.remove(turn);
              }
            })
        .onFailure(LostTurnException.class)
        .recoverWithItem(
            () -> {
              lost(turn);
              return Ended.LOST;
            })
        .onFailure()
        .invoke(failure -> lost(turn));
  }

  private Uni<Ended> endOnce(LiveTurn turn, TurnEnd end) {
    return Uni.createFrom()
        .deferred(() -> pool.withTransaction(connection -> end(connection, turn, end)))
        .chain(done -> done ? Uni.createFrom().item(shown(turn, end)) : why(turn));
  }

  private Uni<Boolean> end(SqlConnection connection, LiveTurn turn, TurnEnd end) {
    var seq = turn.nextSeq();
    var update =
        Tuple.tuple()
            .addUUID(turn.id())
            .addUUID(instances.id())
            .addString(end.status().name())
            .addString(storable(end.text()))
            .addString(end.type().equals(Frame.ERROR) ? end.data().toString() : null)
            .addString(end.record() == null ? null : end.record().toString());
    var event =
        Tuple.tuple()
            .addUUID(turn.id())
            .addLong(seq)
            .addString(end.type())
            .addString(end.data().toString())
            .addLong(seq - config.keptEvents())
            .addBoolean(instances.liveReplicas() > 1);
    return connection
        .preparedQuery(END)
        .execute(update)
        .chain(
            rows -> {
              if (rows.rowCount() == 0) {
                return Uni.createFrom().item(false);
              }
              var conversation = rows.iterator().next().getString(0);
              var ending =
                  new TurnPart.Ending(
                      turn.id(), turn.owner(), conversation, end.status(), end.text());
              return each(part -> part.end(connection, ending))
                  .chain(() -> connection.preparedQuery(LAST_EVENT).execute(event))
                  .chain(() -> leave(connection, turn.owner(), conversation, turn.id()))
                  .replaceWith(true);
            });
  }

  private static Ended shown(LiveTurn turn, TurnEnd end) {
    turn.ended(Frame.of(turn.nextSeq(), end.type(), end.data().toString()));
    return Ended.AS_ASKED;
  }

  static Uni<Void> leave(
      SqlConnection connection, String owner, @Nullable String conversation, UUID turn) {
    return conversation == null
        ? Uni.createFrom().voidItem()
        : connection
            .preparedQuery(LEAVE)
            .execute(Tuple.of(owner, conversation, turn.toString()))
            .replaceWithVoid();
  }

  private Uni<Ended> why(LiveTurn turn) {
    return pool.preparedQuery(STATE)
        .execute(Tuple.of(turn.id(), instances.id()))
        .map(
            rows -> {
              for (var row : rows) {
                if (row.getBoolean("open") && row.getBoolean("mine")) {
                  return Ended.CANCELLED_FIRST;
                }
              }
              return Ended.LOST;
            });
  }

  /** Asks the process that executes it to stop a turn; false when it is not active. */
  public Uni<Boolean> cancel(String owner, UUID id) {
    return pool.preparedQuery(CANCEL).execute(Tuple.of(id, owner)).map(rows -> rows.size() > 0);
  }

  /** Says whether the turn waits for its owner. */
  public Uni<Void> paused(LiveTurn turn, boolean paused) {
    var status = paused ? TurnStatus.PAUSED : TurnStatus.RUNNING;
    return pool.preparedQuery(PAUSE)
        .execute(Tuple.of(turn.id(), instances.id(), status.name()))
        .replaceWithVoid();
  }

  /** Null for an unknown turn, as for somebody else's. */
  public Uni<@Nullable StoredTurn> find(String owner, UUID id) {
    return pool.preparedQuery(FIND).execute(Tuple.of(id, owner)).map(StoredTurn::first);
  }

  /** Turns that run here right now. */
  public int running() {
    return live.size();
  }

  static String storable(String text) {
    return text.replace('\0', '\uFFFD');
  }
}
