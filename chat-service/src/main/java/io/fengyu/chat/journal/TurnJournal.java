package io.fengyu.chat.journal;

import io.fengyu.contract.instance.Instances;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/**
 * Writes down what happens in all turns of this process, many events in one statement. What is
 * queued is bounded by what turns may say before it is stored.
 */
@ApplicationScoped
class TurnJournal {

  private static final Logger LOG = Logger.getLogger(TurnJournal.class);
  private static final long FIRST_PAUSE_MS = 50;
  private static final long LONGEST_PAUSE_MS = 1000;
  private static final int BATCH_CHARS = 2 * 1024 * 1024;

  // The turns are locked against whoever declares them over: either these events come before that,
  // or not at all. All by primary keys. A repeated statement changes nothing.
  private static final String APPEND =
      """
      WITH held AS (
        SELECT id FROM chat.turn
         WHERE id = ANY ($1::uuid[]) AND executor = $2 AND ended_at IS NULL
         ORDER BY id
           FOR SHARE),
      put AS (
        INSERT INTO chat.turn_event (turn_id, first, seq, type, data)
        SELECT r.turn_id, r.first, r.seq, r.type, r.data
          FROM unnest($3::uuid[], $4::bigint[], $5::bigint[], $6::text[], $7::text[])
               AS r (turn_id, first, seq, type, data)
          JOIN held h ON h.id = r.turn_id
        ON CONFLICT DO NOTHING)
      SELECT h.id, CASE WHEN $8::boolean THEN pg_notify('chat_turn', h.id::text) END FROM held h""";

  // A longer turn loses its oldest events already while it runs.
  private static final String TRIM = "DELETE FROM chat.turn_event WHERE turn_id = $1 AND seq <= $2";

  private final Pool pool;
  private final Vertx vertx;
  private final Context context;
  private final Instances instances;
  private final TurnConfig config;
  private final Queue<EventRow> queue = new ConcurrentLinkedQueue<>();
  private final Set<LiveTurn> withPiece = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean timed = new AtomicBoolean();
  private final AtomicBoolean scheduled = new AtomicBoolean();

  // On the context only.
  private boolean writing;

  TurnJournal(Pool pool, Vertx vertx, Instances instances, TurnConfig config) {
    this.pool = pool;
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    this.instances = instances;
    this.config = config;
  }

  /** Takes a row; in the order of its turn. */
  void add(EventRow row) {
    queue.add(row);
    schedule();
  }

  private void schedule() {
    if (scheduled.compareAndSet(false, true)) {
      context.runOnContext(
          now -> {
            scheduled.set(false);
            write();
          });
    }
  }

  /** Sees to it that a collected piece of text is stored soon. */
  void pieceOpened(LiveTurn turn) {
    withPiece.add(turn);
    if (timed.compareAndSet(false, true)) {
      vertx.setTimer(TextPiece.PATIENCE_MS, due -> closePieces());
    }
  }

  private void closePieces() {
    timed.set(false);
    for (var turn : List.copyOf(withPiece)) {
      withPiece.remove(turn);
      turn.closePiece();
    }
  }

  private void write() {
    if (writing || queue.isEmpty()) {
      return;
    }
    writing = true;
    var batch = new ArrayList<EventRow>();
    var chars = 0;
    while (batch.size() < config.batchEvents() && chars < BATCH_CHARS) {
      var row = queue.poll();
      if (row == null) {
        break;
      }
      batch.add(row);
      chars += row.data().length();
    }
    write(batch, FIRST_PAUSE_MS);
  }

  private void write(List<EventRow> batch, long pause) {
    pool.preparedQuery(APPEND)
        .execute(tuple(batch))
        .ifNoItem()
        .after(config.statementTimeout())
        .fail()
        .subscribe()
        .with(
            rows -> context.runOnContext(now -> written(batch, rows)),
            failure -> context.runOnContext(now -> notWritten(batch, pause, failure)));
  }

  private Tuple tuple(List<EventRow> batch) {
    var turns = new HashSet<UUID>();
    var count = batch.size();
    var ids = new UUID[count];
    var firsts = new Long[count];
    var seqs = new Long[count];
    var types = new String[count];
    var data = new String[count];
    for (var i = 0; i < count; i++) {
      var row = batch.get(i);
      turns.add(row.turn().id());
      ids[i] = row.turn().id();
      firsts[i] = row.first();
      seqs[i] = row.seq();
      types[i] = row.type();
      data[i] = row.data();
    }
    return Tuple.tuple()
        .addArrayOfUUID(turns.toArray(UUID[]::new))
        .addUUID(instances.id())
        .addArrayOfUUID(ids)
        .addArrayOfLong(firsts)
        .addArrayOfLong(seqs)
        .addArrayOfString(types)
        .addArrayOfString(data)
        .addBoolean(instances.liveReplicas() > 1);
  }

  private void written(List<EventRow> batch, RowSet<Row> rows) {
    var held = new HashSet<UUID>();
    rows.forEach(row -> held.add(row.getUUID(0)));
    Map<LiveTurn, Long> newest = new HashMap<>();
    batch.forEach(row -> newest.merge(row.turn(), row.seq(), Math::max));
    newest.forEach(
        (turn, seq) -> {
          if (held.contains(turn.id())) {
            turn.stored(seq);
            trimIfLong(turn, seq);
          } else {
            turn.lose();
          }
        });
    writing = false;
    write();
  }

  private void trimIfLong(LiveTurn turn, long seq) {
    var bound = turn.trimmedTo(seq - config.keptEvents());
    if (bound > 0) {
      pool.preparedQuery(TRIM)
          .execute(Tuple.of(turn.id(), bound))
          .subscribe()
          .with(done -> {}, failure -> LOG.debugf("Old events go later: %s", failure.getMessage()));
    }
  }

  // It is tried until it succeeds, or others declare the turns over, because this process is
  // silent.
  private void notWritten(List<EventRow> batch, long pause, Throwable failure) {
    var open = batch.stream().filter(row -> !row.turn().left()).toList();
    if (open.isEmpty()) {
      writing = false;
      write();
      return;
    }
    LOG.warnf("Events of turns are stored later: %s", failure.getMessage());
    vertx.setTimer(
        pause,
        due -> context.runOnContext(now -> write(open, Math.min(pause * 2, LONGEST_PAUSE_MS))));
  }
}
