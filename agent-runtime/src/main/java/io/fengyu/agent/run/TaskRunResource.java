package io.fengyu.agent.run;

import static jakarta.ws.rs.core.MediaType.APPLICATION_JSON;
import static jakarta.ws.rs.core.MediaType.WILDCARD;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.identity.Caller;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Runs of background tasks, for the service that gives tasks their turn. */
@Path("/internal/task-runs")
@Produces(APPLICATION_JSON)
public class TaskRunResource {

  private final TaskRuns runs;
  private final Caller caller;

  TaskRunResource(TaskRuns runs, Caller caller) {
    this.runs = runs;
    this.caller = caller;
  }

  /** Runs whose ends are asked for. */
  public record Asked(List<UUID> runIds) {}

  /** Starts the run of a task; the same task again is the same run. */
  @POST
  @Path("/{taskId}")
  @Consumes(APPLICATION_JSON)
  public Uni<RunStarted> start(UUID taskId, byte @Nullable [] body) throws JsonProcessingException {
    if (!(Json.body(body) instanceof ObjectNode start)) {
      throw RunRefusals.body("", "an object");
    }
    return runs.start(caller.owner(), taskId, start);
  }

  /** Stops the run of a task, and keeps it from beginning when it has not begun. */
  @POST
  @Path("/{taskId}/cancel")
  @Consumes(WILDCARD)
  public Uni<ObjectNode> cancel(UUID taskId) {
    return runs.cancel(caller.owner(), taskId)
        .replaceWith(JsonNodeFactory.instance.objectNode().put("ok", true));
  }

  /** What those runs came to that have ended. */
  @POST
  @Path("/ends")
  @Consumes(APPLICATION_JSON)
  public Uni<ObjectNode> ends(Asked asked) {
    return runs.ends(asked.runIds().toArray(UUID[]::new))
        .map(ends -> JsonNodeFactory.instance.objectNode().set("ends", ends));
  }
}
