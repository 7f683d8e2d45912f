package io.fengyu.workflow.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.contract.identity.Caller;
import io.fengyu.workflow.json.RawBody;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import org.jboss.resteasy.reactive.RestHeader;
import org.jspecify.annotations.Nullable;

/** Tells other services whether a published workflow can run while nobody watches. */
@Path("/internal/workflows/{id}/unattended")
@Produces(MediaType.APPLICATION_JSON)
public class UnattendedResource {

  private final Unattended workflows;
  private final Caller caller;

  UnattendedResource(Unattended workflows, Caller caller) {
    this.workflows = workflows;
    this.caller = caller;
  }

  /**
   * Takes the body of a run.
   *
   * @param partial true when required inputs may come later
   * @param judge false to leave out what the steps would do
   */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @Blocking
  @RunOnVirtualThread
  public Uni<JsonNode> check(
      String id,
      byte @Nullable [] body,
      @QueryParam("partial") boolean partial,
      @QueryParam("judge") @DefaultValue("true") boolean judge,
      @RestHeader("Accept-Language") @Nullable String language) {
    var wish = RunWish.of(RawBody.ofOptional(body));
    return workflows.check(id, caller.owner(), wish, partial, judge, language);
  }
}
