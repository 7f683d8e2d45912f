package io.fengyu.workflow.publication;

import io.fengyu.contract.identity.Caller;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;

/** Lists for other services what an owner has published. */
@Path("/internal/published-workflows")
@Produces(MediaType.APPLICATION_JSON)
public class CallableResource {

  private final PublicationStore store;
  private final Caller caller;

  CallableResource(PublicationStore store, Caller caller) {
    this.store = store;
    this.caller = caller;
  }

  @GET
  public Uni<List<CallableWorkflow>> published() {
    return store.callable(caller.owner());
  }
}
