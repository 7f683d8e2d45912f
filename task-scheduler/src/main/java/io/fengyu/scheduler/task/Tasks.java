package io.fengyu.scheduler.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.scheduler.queue.NewTask;
import io.fengyu.scheduler.queue.Origin;
import io.fengyu.scheduler.queue.TaskAdmission;
import io.fengyu.scheduler.queue.TaskProblems;
import io.fengyu.scheduler.queue.Turns;
import io.fengyu.scheduler.workflow.Snapshots;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What owners do with their tasks. */
@ApplicationScoped
class Tasks {

  private static final String UNKNOWN = "unknown task";

  private final Snapshots snapshots;
  private final TaskAdmission admission;
  private final Turns turns;
  private final TaskHistory history;
  private final Waits waits;
  private final ObjectMapper json;

  Tasks(
      Snapshots snapshots,
      TaskAdmission admission,
      Turns turns,
      TaskHistory history,
      Waits waits,
      ObjectMapper json) {
    this.snapshots = snapshots;
    this.admission = admission;
    this.turns = turns;
    this.history = history;
    this.waits = waits;
    this.json = json;
  }

  /**
   * Checks workflow and inputs, and stores the task; emits it with what the guard says about its
   * steps.
   *
   * @param id the same for a repetition
   */
  Uni<ObjectNode> submit(UUID id, String owner, Submission wish) {
    return snapshots
        .bound(owner, wish.workflowId(), wish.request(), "check " + id)
        .chain(bound -> snapshots.judged(owner, bound))
        .chain(
            steps ->
                store(id, owner, Origin.CALLER, wish.workflowId(), wish.request())
                    .map(task -> wire(task.judged(steps))));
  }

  /** Stores a task of something that has checked it; emits it. */
  Uni<ObjectNode> take(
      UUID id, String owner, String workflowId, ObjectNode request, String description) {
    var task = NewTask.workflow(id, owner, Origin.WEBHOOK, workflowId, request);
    return store(owner, task.described(description)).map(this::wire);
  }

  private Uni<TaskSnapshot> store(
      UUID id, String owner, Origin origin, String workflowId, ObjectNode request) {
    return store(owner, NewTask.workflow(id, owner, origin, workflowId, request));
  }

  private Uni<TaskSnapshot> store(String owner, NewTask task) {
    return admission
        .submit(task)
        .chain(in -> history.find(owner, Set.of(task.id())))
        .map(found -> first(found, task.id().toString()));
  }

  private static TaskSnapshot first(List<TaskSnapshot> found, String id) {
    if (found.isEmpty()) {
      throw TaskProblems.notFound(id);
    }
    return found.getFirst();
  }

  private ObjectNode wire(TaskSnapshot task) {
    return json.valueToTree(task);
  }

  Uni<List<TaskSnapshot>> list(String owner) {
    return history.list(owner);
  }

  /** The task when it has ended, or as it is when the time is up; 404 for an unknown one. */
  Uni<TaskSnapshot> get(String owner, String id, Duration atMost) {
    var known = uuid(id);
    if (known == null) {
      throw TaskProblems.notFound(id);
    }
    return waits.until(owner, Set.of(known), Tasks::allOver, atMost).map(found -> first(found, id));
  }

  /** The tasks in the given order; unknown ones say so, and nobody waits for them. */
  Uni<JsonNode> await(String owner, List<String> ids, boolean any, Duration atMost) {
    var known = new HashSet<UUID>();
    ids.forEach(
        id -> {
          var uuid = uuid(id);
          if (uuid != null) {
            known.add(uuid);
          }
        });
    Predicate<List<TaskSnapshot>> wanted = any ? Tasks::anyOver : Tasks::allOver;
    return waits.until(owner, known, wanted, atMost).map(found -> inOrder(ids, found));
  }

  private static boolean allOver(List<TaskSnapshot> found) {
    return found.stream().allMatch(TaskSnapshot::over);
  }

  private static boolean anyOver(List<TaskSnapshot> found) {
    return found.isEmpty() || found.stream().anyMatch(TaskSnapshot::over);
  }

  private ArrayNode inOrder(List<String> ids, List<TaskSnapshot> found) {
    Map<String, TaskSnapshot> byId = new HashMap<>();
    found.forEach(task -> byId.put(task.taskId().toString(), task));
    var all = json.createArrayNode();
    for (var id : ids) {
      var uuid = uuid(id);
      var task = uuid == null ? null : byId.get(uuid.toString());
      all.add(
          task == null
              ? json.createObjectNode().put("taskId", id).put("error", UNKNOWN)
              : wire(task));
    }
    return all;
  }

  /** Emits false when there is nothing to end. */
  Uni<Boolean> kill(String owner, String id) {
    var known = uuid(id);
    return known == null ? Uni.createFrom().item(false) : turns.kill(owner, known);
  }

  private static @Nullable UUID uuid(String id) {
    try {
      return UUID.fromString(id);
    } catch (IllegalArgumentException none) {
      return null;
    }
  }
}
