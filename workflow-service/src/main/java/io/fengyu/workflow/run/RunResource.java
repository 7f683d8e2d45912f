package io.fengyu.workflow.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.contract.identity.Caller;
import io.fengyu.workflow.json.RawBody;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.jboss.resteasy.reactive.RestHeader;
import org.jspecify.annotations.Nullable;

/** Lets owners run their workflows by hand. */
@Path("/api/workflows/{id}/run")
@Produces(MediaType.APPLICATION_JSON)
public class RunResource {

  private final RunWorkflow workflows;
  private final Caller caller;

  RunResource(RunWorkflow workflows, Caller caller) {
    this.workflows = workflows;
    this.caller = caller;
  }

  @POST
  @RunOnVirtualThread
  public Uni<JsonNode> run(
      String id, byte @Nullable [] body, @RestHeader("Accept-Language") @Nullable String language) {
    return workflows.run(id, caller.owner(), RunWish.of(RawBody.ofOptional(body)), language);
  }
}
