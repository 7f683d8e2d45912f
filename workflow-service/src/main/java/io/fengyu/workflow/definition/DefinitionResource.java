package io.fengyu.workflow.definition;

import io.fengyu.contract.identity.Caller;
import io.fengyu.workflow.json.RawBody;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;
import org.jspecify.annotations.Nullable;

/** Lets owners keep their workflows. */
@Path("/api/workflows")
@Produces(MediaType.APPLICATION_JSON)
public class DefinitionResource {

  private final Definitions definitions;
  private final DefinitionList list;
  private final Deletion deletion;
  private final Caller caller;

  DefinitionResource(
      Definitions definitions, DefinitionList list, Deletion deletion, Caller caller) {
    this.definitions = definitions;
    this.list = list;
    this.deletion = deletion;
    this.caller = caller;
  }

  /**
   * One page, last changed first. A further page is named by the headers {@code Link} and {@code
   * X-Next-Cursor}.
   *
   * @param view {@code SUMMARY} leaves the documents out
   */
  @GET
  public Uni<RestResponse<List<?>>> list(
      @RestQuery @DefaultValue("FULL") String view,
      @RestQuery @DefaultValue("200") String limit,
      @RestQuery @Nullable String cursor,
      UriInfo uri) {
    return list.page(view, caller.owner(), Cursor.of(cursor), PageSize.of(limit))
        .map(page -> answer(page, uri));
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @Blocking
  @RunOnVirtualThread
  public Uni<Definition> create(byte[] body) {
    return definitions.create(caller.owner(), RawBody.of(body));
  }

  @GET
  @Path("/{id}")
  public Uni<Definition> get(String id) {
    return definitions.get(id, caller.owner());
  }

  @PUT
  @Path("/{id}")
  @Consumes(MediaType.APPLICATION_JSON)
  @Blocking
  @RunOnVirtualThread
  public Uni<Definition> save(String id, byte[] body) {
    return definitions.save(id, caller.owner(), RawBody.of(body));
  }

  @DELETE
  @Path("/{id}")
  public Uni<Deletion.Deleted> delete(String id) {
    return deletion.delete(id, caller.owner());
  }

  @POST
  @Path("/{id}/duplicate")
  public Uni<Definition> duplicate(String id, byte @Nullable [] body) {
    var name = RawBody.ofOptional(body).string("name");
    return definitions.duplicate(id, caller.owner(), name);
  }

  /** The canvas of a workflow, drawn from its plan when it was saved without one. */
  @GET
  @Path("/{id}/canvas")
  public Uni<Canvas> canvas(String id) {
    return definitions.get(id, caller.owner()).map(Canvas::of);
  }

  private static RestResponse<List<?>> answer(Page<?> page, UriInfo uri) {
    var answer = ResponseBuilder.<List<?>>ok(page.items());
    return page.next() == null
        ? answer.build()
        : answer
            .header("X-Next-Cursor", page.next())
            .header("Link", "<" + next(uri, page.next()) + ">; rel=\"next\"")
            .build();
  }

  // A path without host: behind the edge, this service does not know its own address.
  private static String next(UriInfo uri, String cursor) {
    var next = uri.getRequestUriBuilder().replaceQueryParam("cursor", cursor).build();
    return next.getRawPath() + "?" + next.getRawQuery();
  }
}
