package io.fengyu.scheduler.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.fengyu.contract.identity.Caller;
import io.fengyu.contract.start.Starts;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.jboss.resteasy.reactive.RestHeader;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/** Lets owners have their published workflows run without anybody asking. */
@Path("/api/agent/schedules")
@Produces(MediaType.APPLICATION_JSON)
public class ScheduleResource {

  private final CreateSchedule creation;
  private final Schedules schedules;
  private final Starts starts;
  private final Caller caller;

  ScheduleResource(CreateSchedule creation, Schedules schedules, Starts starts, Caller caller) {
    this.creation = creation;
    this.schedules = schedules;
    this.starts = starts;
    this.caller = caller;
  }

  /** Whether future fires were stopped; false for an unknown, foreign or ended schedule. */
  public record Deleted(boolean ok, String scheduleId) {}

  /** Makes a schedule, once per {@code Idempotency-Key}. */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  public Uni<RestResponse<JsonNode>> create(
      @Nullable JsonNode body, @RestHeader("Idempotency-Key") @Nullable String key) {
    var owner = caller.owner();
    var asked = body == null ? MissingNode.getInstance() : body;
    return starts.once(key, body, JsonNode.class, claims -> creation.create(owner, asked));
  }

  /** Oldest first; those that ended only when wanted. */
  @GET
  public Uni<List<ScheduleSummary>> list(@QueryParam("includeInactive") boolean ended) {
    return schedules.list(caller.owner(), ended);
  }

  /** Stops future fires; tasks that were submitted go on. */
  @DELETE
  @Path("{id}")
  public Uni<Deleted> delete(String id) {
    return schedules.cancel(id, caller.owner()).map(ok -> new Deleted(ok, id));
  }

  /** The occurrences that were claimed, newest first, at most one for each due time. */
  @GET
  @Path("{id}/fires")
  public Uni<List<FireRecord>> fires(String id, @QueryParam("limit") @Nullable String limit) {
    return schedules.fires(id, caller.owner(), limit);
  }
}
