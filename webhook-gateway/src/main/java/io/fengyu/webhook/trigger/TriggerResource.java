package io.fengyu.webhook.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.fengyu.contract.identity.Caller;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jspecify.annotations.Nullable;

/** Lets owners open their published workflows to other programs. */
@Path("/api/agent/webhook-triggers")
@Produces(MediaType.APPLICATION_JSON)
public class TriggerResource {

  private static final int CREATED = 201;

  private final Triggers triggers;
  private final Caller caller;

  TriggerResource(Triggers triggers, Caller caller) {
    this.triggers = triggers;
    this.caller = caller;
  }

  /** Whether deliveries are refused from now on; false when there was nothing to delete. */
  public record Deleted(boolean ok, String triggerId) {}

  /** Makes a trigger; the answer is the only one with its secret. */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @ResponseStatus(CREATED)
  public Uni<TriggerView> create(@Nullable JsonNode body) {
    return triggers.create(caller.owner(), wish(body));
  }

  /** Oldest first, without secrets. */
  @GET
  public Uni<List<TriggerView>> list() {
    return triggers.list(caller.owner());
  }

  /** Makes the old secret worthless before it answers with the new one. */
  @POST
  @Path("{id}/rotate-secret")
  public Uni<TriggerView> rotate(String id) {
    return triggers.rotate(id, caller.owner());
  }

  /** Changes the fields that are there. */
  @PATCH
  @Path("{id}")
  @Consumes(MediaType.APPLICATION_JSON)
  public Uni<TriggerView> change(String id, @Nullable JsonNode body) {
    return triggers.change(id, caller.owner(), wish(body));
  }

  /** Ends it; tasks that were submitted go on. */
  @DELETE
  @Path("{id}")
  public Uni<Deleted> delete(String id) {
    return triggers.delete(id, caller.owner()).map(ok -> new Deleted(ok, id));
  }

  private static TriggerWish wish(@Nullable JsonNode body) {
    return new TriggerWish(body == null ? MissingNode.getInstance() : body);
  }
}
