package io.fengyu.workflow.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.contract.identity.Caller;
import io.fengyu.contract.start.Starts;
import io.fengyu.workflow.json.RawBody;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.jboss.resteasy.reactive.RestHeader;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/** Lets owners run their workflows by hand. */
@Path("/api/workflows/{id}/run")
@Produces(MediaType.APPLICATION_JSON)
public class RunResource {

  private final RunWorkflow workflows;
  private final Starts starts;
  private final Caller caller;

  RunResource(RunWorkflow workflows, Starts starts, Caller caller) {
    this.workflows = workflows;
    this.starts = starts;
    this.caller = caller;
  }

  @POST
  @Blocking
  @RunOnVirtualThread
  public Uni<RestResponse<JsonNode>> run(
      String id,
      byte @Nullable [] body,
      @RestHeader("Idempotency-Key") @Nullable String key,
      @RestHeader("Accept-Language") @Nullable String language) {
    var owner = caller.owner();
    var content = RawBody.ofOptional(body);
    return starts.once(
        key,
        content.tree(),
        JsonNode.class,
        claims -> workflows.run(id, owner, RunWish.of(content), claims, language));
  }
}
