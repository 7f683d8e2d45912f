package io.fengyu.scheduler.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.identity.Caller;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Takes tasks from other services: deliveries of webhooks, and what tools submit. */
@Path("/internal/tasks")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public class InternalTaskResource {

  private final Tasks tasks;
  private final Caller caller;
  private final ObjectMapper json;

  InternalTaskResource(Tasks tasks, Caller caller, ObjectMapper json) {
    this.tasks = tasks;
    this.caller = caller;
    this.json = json;
  }

  /**
   * Stores a task: {@code {taskId, origin: webhook|tool, workflowId, inputs?, files?,
   * permissionMode?, description?}}. The same id again is the same task. What a tool submits is
   * checked here, and has the permission of the call.
   */
  @POST
  public Uni<ObjectNode> submit(@Nullable JsonNode body) {
    var wish = Submission.read(body, json);
    var sent = (ObjectNode) Objects.requireNonNull(body);
    var id = UUID.fromString(sent.path("taskId").asText());
    if (sent.path("origin").asText().equals("webhook")) {
      var words = sent.path("description").asText("webhook");
      return tasks.take(id, caller.owner(), wish.workflowId(), wish.request(), words);
    }
    wish.request().put("granted", true);
    return tasks.submit(id, caller.owner(), wish);
  }

  /** One task, as it is; 404 for an unknown one. */
  @GET
  @Path("/{id}")
  @Consumes(MediaType.WILDCARD)
  public Uni<TaskSnapshot> get(String id) {
    return tasks.get(caller.owner(), id, Duration.ZERO);
  }
}
