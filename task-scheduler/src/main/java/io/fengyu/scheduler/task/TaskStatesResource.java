package io.fengyu.scheduler.task;

import io.smallrye.mutiny.Uni;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.UUID;

/** Tells webhook-gateway what its deliveries have become. */
@Path("/internal/tasks/states")
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
public class TaskStatesResource {

  private final TaskStates states;

  TaskStatesResource(TaskStates states) {
    this.states = states;
  }

  /** Which tasks. */
  public record Asked(@NotNull @Size(max = 5_000) List<UUID> taskIds) {}

  /** Those that are stored; what is missing ended long ago, or never was. */
  @POST
  public Uni<List<TaskStates.State>> states(@Valid @NotNull Asked asked) {
    return states.of(asked.taskIds());
  }
}
