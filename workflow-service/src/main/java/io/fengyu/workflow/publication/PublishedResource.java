package io.fengyu.workflow.publication;

import io.fengyu.contract.identity.Caller;
import io.fengyu.workflow.definition.Definition;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** Gives other services the snapshot that a workflow runs as now. */
@Path("/internal/workflows/{id}/published")
@Produces(MediaType.APPLICATION_JSON)
public class PublishedResource {

  private final Publications publications;
  private final Caller caller;

  PublishedResource(Publications publications, Caller caller) {
    this.publications = publications;
    this.caller = caller;
  }

  @GET
  public Uni<Definition> published(String id) {
    return publications.active(id, caller.owner());
  }
}
