package io.fengyu.scheduler.schedule;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.scheduler.queue.NewTask;
import io.fengyu.scheduler.queue.Origin;
import io.fengyu.scheduler.queue.Turns;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.UUID;

/** The queue of this service. */
@ApplicationScoped
class QueueDesk implements TaskDesk {

  // The primary key.
  private static final String KNOWN = "SELECT 1 FROM scheduler.task WHERE id = $1";

  private final Turns turns;
  private final Pool pool;
  private final ObjectMapper json;

  QueueDesk(Turns turns, Pool pool, ObjectMapper json) {
    this.turns = turns;
    this.pool = pool;
    this.json = json;
  }

  @Override
  public boolean open() {
    return turns.isOpen();
  }

  @Override
  public Uni<Void> submit(Occurrence occurrence) {
    return turns.submit(task(occurrence)).replaceWithVoid();
  }

  @Override
  public Uni<Boolean> knows(UUID taskId) {
    return pool.preparedQuery(KNOWN).execute(Tuple.of(taskId)).map(rows -> rows.rowCount() == 1);
  }

  private NewTask task(Occurrence occurrence) {
    var schedule = occurrence.schedule();
    var request = json.createObjectNode();
    request.set("inputs", inputs(schedule));
    request.put("permissionMode", schedule.permissionMode());
    return NewTask.workflow(
        occurrence.taskId(), schedule.owner(), Origin.SCHEDULE, schedule.workflowId(), request);
  }

  private ObjectNode inputs(Schedule schedule) {
    try {
      return json.readValue(schedule.inputs(), ObjectNode.class);
    } catch (JsonProcessingException broken) {
      throw new IllegalStateException("stored inputs are no JSON", broken);
    }
  }
}
