package io.fengyu.workflow.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.contract.identity.Caller;
import io.fengyu.workflow.json.RawBody;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.jboss.resteasy.reactive.RestHeader;
import org.jspecify.annotations.Nullable;

/** Tells owners what a run of their workflow would do, without doing any of it. */
@Path("/api/workflows/{id}/dry-run")
@Produces(MediaType.APPLICATION_JSON)
public class DryRunResource {

  private final DryRun workflows;
  private final Caller caller;

  DryRunResource(DryRun workflows, Caller caller) {
    this.workflows = workflows;
    this.caller = caller;
  }

  /** Takes the body of a run. */
  @POST
  @Blocking
  @RunOnVirtualThread
  public Uni<JsonNode> dryRun(
      String id, byte @Nullable [] body, @RestHeader("Accept-Language") @Nullable String language) {
    return workflows.of(id, caller.owner(), RunWish.of(RawBody.ofOptional(body)), language);
  }
}
