package io.fengyu.scheduler.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.identity.Caller;
import io.fengyu.contract.identity.StartLimit;
import io.fengyu.contract.start.StartClaim;
import io.fengyu.contract.start.Starts;
import io.fengyu.scheduler.queue.Capacities;
import io.fengyu.scheduler.queue.Capacity;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.UUID;
import org.jboss.resteasy.reactive.RestHeader;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/** Lets owners submit background tasks, watch them, and end them. */
@Path("/api/agent/tasks")
@Produces(MediaType.APPLICATION_JSON)
public class TaskResource {

  private final Tasks tasks;
  private final Capacities capacities;
  private final Caller caller;
  private final StartLimit limit;
  private final Starts starts;
  private final ObjectMapper json;

  TaskResource(
      Tasks tasks,
      Capacities capacities,
      Caller caller,
      StartLimit limit,
      Starts starts,
      ObjectMapper json) {
    this.tasks = tasks;
    this.capacities = capacities;
    this.caller = caller;
    this.limit = limit;
    this.starts = starts;
    this.json = json;
  }

  /**
   * What came of the wish to end a task.
   *
   * @param ok false when there is no such task, or it is over
   */
  public record Killed(boolean ok, String taskId) {}

  /** Everything that is not over and the newest hundred of what is, newest first. */
  @GET
  public Uni<List<TaskSnapshot>> list() {
    return tasks.list(caller.owner());
  }

  /** Submits a workflow; answers when the task is stored, long before it ends. */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  public Uni<RestResponse<ObjectNode>> submit(
      @RestHeader("Idempotency-Key") @Nullable String key, @Nullable JsonNode body) {
    var owner = caller.owner();
    return starts
        .once(
            key,
            body,
            ObjectNode.class,
            claims -> {
              limit.admit(owner);
              return tasks.submit(id(claims), owner, Submission.read(body, json));
            })
        .map(TaskResource::accepted);
  }

  // The same for every attempt under the same key.
  private static UUID id(List<StartClaim> claims) {
    return claims.isEmpty() ? UUID.randomUUID() : claims.getLast().operation();
  }

  private static RestResponse<ObjectNode> accepted(RestResponse<ObjectNode> started) {
    var answer =
        RestResponse.ResponseBuilder.<ObjectNode>create(RestResponse.Status.ACCEPTED)
            .entity(started.getEntity());
    var replayed = started.getHeaders().getFirst(Starts.REPLAYED);
    return (replayed == null ? answer : answer.header(Starts.REPLAYED, replayed)).build();
  }

  /** How full the queue is. */
  @GET
  @Path("/capacity")
  public Uni<Capacity> capacity() {
    return capacities.of(caller.owner());
  }

  /** Waits for several tasks. */
  @POST
  @Path("/wait")
  @Consumes(MediaType.APPLICATION_JSON)
  public Uni<JsonNode> await(@Nullable JsonNode body) {
    var wait = WaitRequest.read(body);
    return tasks.await(caller.owner(), wait.ids(), wait.any(), wait.atMost());
  }

  /** One task; with a time, when it has ended or the time is up. */
  @GET
  @Path("/{id}")
  public Uni<TaskSnapshot> get(String id, @RestQuery @Nullable String timeoutMs) {
    return tasks.get(caller.owner(), id, WaitRequest.oneTask(timeoutMs));
  }

  /** Ends a task before it starts, or asks for its end. */
  @DELETE
  @Path("/{id}")
  public Uni<Killed> kill(String id) {
    return tasks.kill(caller.owner(), id).map(ok -> new Killed(ok, id));
  }
}
