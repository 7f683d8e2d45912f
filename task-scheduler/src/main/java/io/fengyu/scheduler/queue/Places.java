package io.fengyu.scheduler.queue;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where an owner's queued tasks stand in the order of starting. Locks nothing: it is a forecast.
 */
@ApplicationScoped
public class Places {

  // The ring, and for the asking owner what waits in each lane (task_lane).
  private static final String READ =
      """
      SELECT o.owner, o.turn, o.place, o.interactive, o.normal, o.batch,
             (SELECT mean_ms FROM scheduler.task_pace) AS mean_ms,
             CASE WHEN o.owner = $1 THEN
               (SELECT array_agg(t.id ORDER BY t.number) FROM scheduler.task t
                 WHERE t.status = 'queued' AND t.owner = $1 AND t.priority = 'interactive') END
               AS interactive_ids,
             CASE WHEN o.owner = $1 THEN
               (SELECT array_agg(t.id ORDER BY t.number) FROM scheduler.task t
                 WHERE t.status = 'queued' AND t.owner = $1 AND t.priority = 'normal') END
               AS normal_ids,
             CASE WHEN o.owner = $1 THEN
               (SELECT array_agg(t.id ORDER BY t.number) FROM scheduler.task t
                 WHERE t.status = 'queued' AND t.owner = $1 AND t.priority = 'batch') END
               AS batch_ids
        FROM scheduler.task_owner o
       ORDER BY o.turn""";

  private final Pool pool;
  private final Turns turns;

  Places(Pool pool, Turns turns) {
    this.pool = pool;
    this.turns = turns;
  }

  /** Of every queued task of the owner. */
  public Uni<Map<UUID, Place>> of(String owner) {
    return pool.preparedQuery(READ).execute(Tuple.of(owner)).map(rows -> places(owner, rows));
  }

  private Map<UUID, Place> places(String owner, RowSet<Row> rows) {
    var owners = new ArrayList<Waiting>();
    var lanes = new HashMap<Priority, Deque<UUID>>();
    @Nullable Double mean = null;
    for (var row : rows) {
      owners.add(
          new Waiting(
              row.getString("owner"),
              row.getLong("turn"),
              row.getInteger("place"),
              row.getInteger("interactive"),
              row.getInteger("normal"),
              row.getInteger("batch")));
      mean = row.getDouble("mean_ms");
      if (row.getString("owner").equals(owner)) {
        for (var priority : Priority.values()) {
          lanes.put(priority, ids(row.getArrayOfUUIDs(priority.wire() + "_ids")));
        }
      }
    }
    return forecast(owner, new Ring(owners), lanes, turns.limits().running(), mean);
  }

  private static Deque<UUID> ids(UUID @Nullable [] ids) {
    return ids == null ? new ArrayDeque<>() : new ArrayDeque<>(List.of(ids));
  }

  /** Plays the order of starting forward until nothing of the owner is left. */
  static Map<UUID, Place> forecast(
      String owner,
      Ring ring,
      Map<Priority, Deque<UUID>> lanes,
      int limit,
      @Nullable Double meanMs) {
    var places = new HashMap<UUID, Place>();
    int own = 0;
    int others = 0;
    while (ring.queued(owner) > 0) {
      var lane = ring.next();
      if (lane == null) {
        break;
      }
      if (!lane.owner().equals(owner)) {
        others++;
        continue;
      }
      var id = lanes.getOrDefault(lane.priority(), new ArrayDeque<>()).poll();
      if (id != null) {
        places.put(id, place(lane.priority(), own, others, limit, meanMs));
      }
      own++;
    }
    return places;
  }

  // Slots come free one after the other, as many in the time of one body as there are.
  private static Place place(
      Priority priority, int own, int others, int limit, @Nullable Double meanMs) {
    int position = own + others + 1;
    @Nullable Long estimate = meanMs == null ? null : Math.round(meanMs * position / limit);
    return new Place(
        position, new Place.Ahead(own, others), "running", limit, priority.wire(), estimate);
  }
}
