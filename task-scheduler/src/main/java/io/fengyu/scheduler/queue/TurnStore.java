package io.fengyu.scheduler.queue;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Carries out turns: reads the queue under its lock, lets {@link Queue} decide, stores that. */
@ApplicationScoped
class TurnStore {

  private final Pool pool;

  TurnStore(Pool pool) {
    this.pool = pool;
  }

  /** What a turn came to; everything is committed. */
  record Outcome(
      Set<UUID> ended,
      Set<String> endedOwners,
      Map<UUID, Killed> killed,
      Map<UUID, Turn.Decision> decisions,
      List<StartedTask> started,
      Ring ring,
      int running) {}

  /**
   * A task whose owner wanted its end.
   *
   * @param waitedMs in the queue
   */
  record Killed(Lane lane, boolean wasQueued, double waitedMs) {}

  Uni<Outcome> carryOut(Turn turn, QueueLimits limits, UUID executor, boolean starts) {
    return pool.withTransaction(
        connection -> new Run(connection, turn, limits, executor, starts).locked());
  }

  /** One turn on one connection. */
  private static final class Run {

    private final SqlConnection connection;
    private final Turn turn;
    private final QueueLimits limits;
    private final UUID executor;
    private final boolean starts;
    private final Set<UUID> ended = new HashSet<>();
    private final Set<String> endedOwners = new HashSet<>();
    private final Map<UUID, Killed> killed = new HashMap<>();
    private final Map<UUID, String> known = new HashMap<>();
    private final Map<UUID, Turn.Decision> decisions = new HashMap<>();

    Run(SqlConnection connection, Turn turn, QueueLimits limits, UUID executor, boolean starts) {
      this.connection = connection;
      this.turn = turn;
      this.limits = limits;
      this.executor = executor;
      this.starts = starts;
    }

    Uni<Outcome> locked() {
      return connection
          .query(QueueSql.LOCK)
          .execute()
          .chain(locked -> end())
          .chain(done -> kill())
          .chain(done -> known())
          .chain(done -> connection.preparedQuery(QueueSql.STATE).execute())
          .map(this::decide)
          .chain(this::store);
    }

    private Uni<Void> end() {
      if (turn.ends.isEmpty()) {
        return Uni.createFrom().voidItem();
      }
      var ends = turn.ends.stream().map(Turn.Ended::end).toList();
      var values =
          Tuple.tuple()
              .addUUID(executor)
              .addArrayOfUUID(array(ends, TaskEnd::id, UUID[]::new))
              .addArrayOfString(texts(ends, end -> end.status().name().toLowerCase(Locale.ROOT)))
              .addArrayOfString(texts(ends, TaskEnd::storedOutput))
              .addArrayOfString(texts(ends, TaskEnd::errorCode));
      return connection
          .preparedQuery(QueueSql.END)
          .execute(values)
          .invoke(
              rows ->
                  rows.forEach(
                      row -> {
                        ended.add(row.getUUID("id"));
                        endedOwners.add(row.getString("owner"));
                      }))
          .replaceWithVoid();
    }

    private Uni<Void> kill() {
      if (turn.kills.isEmpty()) {
        return Uni.createFrom().voidItem();
      }
      var values =
          Tuple.tuple()
              .addArrayOfUUID(array(turn.kills, Turn.Kill::id, UUID[]::new))
              .addArrayOfString(texts(turn.kills, Turn.Kill::owner));
      return connection
          .preparedQuery(QueueSql.KILL)
          .execute(values)
          .invoke(rows -> rows.forEach(this::killed))
          .replaceWithVoid();
    }

    private void killed(Row row) {
      var lane = new Lane(row.getString("owner"), Priority.of(row.getString("priority")));
      var waited = row.getDouble("waited_ms");
      killed.put(
          row.getUUID("id"),
          new Killed(lane, row.getBoolean("was_queued"), waited == null ? 0 : waited));
      if (row.getBoolean("was_queued")) {
        endedOwners.add(lane.owner());
      }
    }

    private Uni<Void> known() {
      if (turn.admissions.isEmpty()) {
        return Uni.createFrom().voidItem();
      }
      var ids = array(turn.admissions, admit -> admit.task().id(), UUID[]::new);
      return connection
          .preparedQuery(QueueSql.KNOWN)
          .execute(Tuple.tuple().addArrayOfUUID(ids))
          .invoke(rows -> rows.forEach(row -> known.put(row.getUUID("id"), row.getString("owner"))))
          .replaceWithVoid();
    }

    private Queue decide(RowSet<Row> rows) {
      var owners = new ArrayList<Waiting>();
      var running = 0;
      for (var row : rows) {
        running = row.getInteger("running");
        if (row.getString("owner") != null) {
          owners.add(owner(row));
        }
      }
      var ring = new Ring(owners);
      killed.values().stream().filter(Killed::wasQueued).forEach(task -> ring.remove(task.lane()));
      var queue = new Queue(limits, running, ring, starts);
      queue.fill();
      turn.admissions.forEach(admit -> decisions.put(admit.task().id(), decide(queue, admit)));
      return queue;
    }

    private static Waiting owner(Row row) {
      return new Waiting(
          row.getString("owner"),
          row.getLong("turn"),
          row.getInteger("place"),
          row.getInteger("interactive"),
          row.getInteger("normal"),
          row.getInteger("batch"));
    }

    // An id that was submitted before is that task, also within one turn.
    private Turn.Decision decide(Queue queue, Turn.Admit admit) {
      var task = admit.task();
      if (known.containsKey(task.id())) {
        return new Turn.Decision.In(new Admitted(task.id(), true));
      }
      var earlier = decisions.get(task.id());
      if (earlier != null) {
        return earlier;
      }
      var refusal = queue.admit(task);
      return refusal == null
          ? new Turn.Decision.In(new Admitted(task.id(), false))
          : new Turn.Decision.Out(refusal);
    }

    private Uni<Outcome> store(Queue queue) {
      if (queue.admitted().isEmpty()
          && queue.claimed().isEmpty()
          && queue.ring().changed().isEmpty()
          && queue.ring().gone().isEmpty()) {
        return Uni.createFrom().item(() -> outcome(queue, List.of()));
      }
      return connection
          .preparedQuery(QueueSql.STORE)
          .execute(values(queue))
          .map(rows -> outcome(queue, started(rows)));
    }

    private Outcome outcome(Queue queue, List<StartedTask> started) {
      return new Outcome(
          ended, endedOwners, killed, decisions, started, queue.ring(), queue.running());
    }

    private Tuple values(Queue queue) {
      var lanes = List.copyOf(queue.claimed().keySet());
      var made = queue.admitted();
      var atOnce = Set.copyOf(queue.started());
      var changed = queue.ring().changed();
      return Tuple.tuple()
          .addUUID(executor)
          .addArrayOfString(texts(lanes, Lane::owner))
          .addArrayOfString(texts(lanes, lane -> lane.priority().wire()))
          .addArrayOfInteger(
              array(lanes, lane -> queue.claimed().getOrDefault(lane, 0), Integer[]::new))
          .addArrayOfUUID(array(made, NewTask::id, UUID[]::new))
          .addArrayOfString(texts(made, NewTask::owner))
          .addArrayOfString(texts(made, NewTask::kind))
          .addArrayOfString(texts(made, task -> task.priority().wire()))
          .addArrayOfString(texts(made, NewTask::workflowId))
          .addArrayOfString(texts(made, NewTask::description))
          .addArrayOfString(texts(made, NewTask::request))
          .addArrayOfBoolean(array(made, atOnce::contains, Boolean[]::new))
          .addArrayOfString(queue.ring().gone().toArray(String[]::new))
          .addArrayOfString(texts(changed, Waiting::owner))
          .addArrayOfLong(array(changed, Waiting::turn, Long[]::new))
          .addArrayOfShort(array(changed, owner -> (short) owner.place(), Short[]::new))
          .addArrayOfInteger(counts(changed, Priority.INTERACTIVE))
          .addArrayOfInteger(counts(changed, Priority.NORMAL))
          .addArrayOfInteger(counts(changed, Priority.BATCH));
    }

    private static Integer[] counts(List<Waiting> owners, Priority priority) {
      return array(owners, owner -> owner.queued(priority), Integer[]::new);
    }

    private static List<StartedTask> started(RowSet<Row> rows) {
      var started = new ArrayList<StartedTask>(rows.size());
      rows.forEach(row -> started.add(StartedTasks.read(row)));
      return started;
    }

    /** A text of something; null where it has none. */
    private interface Text<T> {
      @Nullable String of(T value);
    }

    private static <T> String[] texts(List<T> all, Text<T> text) {
      return all.stream().map(text::of).toArray(String[]::new);
    }

    private static <T, V> V[] array(List<T> all, Function<T, V> value, IntFunction<V[]> maker) {
      return all.stream().map(value).map(Objects::requireNonNull).toArray(maker);
    }
  }
}
