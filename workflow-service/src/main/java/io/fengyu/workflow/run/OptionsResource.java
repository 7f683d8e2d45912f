package io.fengyu.workflow.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.identity.Caller;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** Says what an input of a workflow can be chosen from. */
@Path("/api/workflows/{id}/inputs/{name}/options")
@Produces(MediaType.APPLICATION_JSON)
public class OptionsResource {

  private final InputOptions options;
  private final Caller caller;

  OptionsResource(InputOptions options, Caller caller) {
    this.options = options;
    this.caller = caller;
  }

  @GET
  public Uni<ObjectNode> options(String id, String name) {
    return options.of(id, caller.owner(), name);
  }
}
