package io.fengyu.workflow.publication;

import io.fengyu.contract.identity.Caller;
import io.fengyu.workflow.definition.Definition;
import io.fengyu.workflow.definition.PageSize;
import io.fengyu.workflow.json.RawBody;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.jboss.resteasy.reactive.RestQuery;
import org.jspecify.annotations.Nullable;

/** Lets owners publish their workflows, and look at and restore what they published. */
@Path("/api/workflows/{id}")
@Produces(MediaType.APPLICATION_JSON)
public class PublicationResource {

  private final Publications publications;
  private final Caller caller;

  PublicationResource(Publications publications, Caller caller) {
    this.publications = publications;
    this.caller = caller;
  }

  @POST
  @Path("/publish")
  public Uni<Definition> publish(String id, byte @Nullable [] body) {
    var wish = RawBody.ofOptional(body);
    return publications.publish(
        id,
        caller.owner(),
        new Publish(wish.bool("published", true), wish.integer("expectedRevision")));
  }

  /**
   * Newest first.
   *
   * @param cursor number of the last snapshot of the page before
   */
  @GET
  @Path("/revisions")
  public Uni<List<SnapshotInfo>> revisions(
      String id,
      @RestQuery @DefaultValue("200") String limit,
      @RestQuery @DefaultValue("2147483647") String cursor) {
    return publications.list(id, caller.owner(), RevisionCursor.of(cursor), PageSize.of(limit));
  }

  @GET
  @Path("/revisions/{revision}")
  public Uni<Definition> snapshot(String id, String revision) {
    return publications.snapshot(id, caller.owner(), revision);
  }

  @POST
  @Path("/revisions/{revision}/restore")
  public Uni<Definition> restore(String id, String revision, byte @Nullable [] body) {
    var expected = RawBody.ofOptional(body).integer("expectedRevision");
    return publications.restore(id, caller.owner(), revision, expected);
  }
}
