package io.fengyu.workflow.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.identity.Caller;
import io.fengyu.workflow.json.RawBody;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import org.jspecify.annotations.Nullable;

/** Gives other services what they have to start when a workflow is called. */
@Path("/internal/workflows/{id}/bound")
@Produces(MediaType.APPLICATION_JSON)
public class BoundResource {

  private final BoundWorkflow workflows;
  private final Caller caller;

  BoundResource(BoundWorkflow workflows, Caller caller) {
    this.workflows = workflows;
    this.caller = caller;
  }

  /**
   * Plan and completed inputs, both of one version.
   *
   * @param draft true for the current draft, false for the active snapshot
   */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @Blocking
  @RunOnVirtualThread
  public Uni<ObjectNode> bind(
      String id, byte @Nullable [] body, @QueryParam("draft") boolean draft) {
    return workflows.bind(id, caller.owner(), RunWish.of(RawBody.ofOptional(body)), draft);
  }
}
