package io.fengyu.workflow.authoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.identity.Caller;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/**
 * Lets the runtime offer a model the canvas that somebody has open. Every body holds {@code
 * flowContext} and {@code tools}; that of an edit {@code arguments} too.
 */
@Path("/internal/workflows/{id}/flow")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public class FlowResource {

  private final FlowAuthoring authoring;
  private final Caller caller;

  FlowResource(FlowAuthoring authoring, Caller caller) {
    this.authoring = authoring;
    this.caller = caller;
  }

  @POST
  @Path("/binding")
  @Blocking
  @RunOnVirtualThread
  public Uni<ObjectNode> binding(String id, JsonNode body) {
    return authoring.binding(id, caller.owner(), body);
  }

  @POST
  @Path("/inspect_current_flow")
  @Blocking
  @RunOnVirtualThread
  public Uni<ObjectNode> inspect(String id, JsonNode body) {
    return authoring.inspect(id, caller.owner(), body);
  }

  @POST
  @Path("/diagnose_current_flow")
  @Blocking
  @RunOnVirtualThread
  public Uni<ObjectNode> diagnose(String id, JsonNode body) {
    return authoring.diagnose(id, caller.owner(), body);
  }

  @POST
  @Path("/edit_current_flow")
  @Blocking
  @RunOnVirtualThread
  public Uni<ObjectNode> edit(String id, JsonNode body) {
    return authoring.edit(id, caller.owner(), body);
  }
}
