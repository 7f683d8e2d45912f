package io.fengyu.workflow.template;

import io.fengyu.contract.identity.Caller;
import io.fengyu.workflow.definition.Definition;
import io.fengyu.workflow.json.RawBody;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Offers workflows to start from. */
@Path("/api/workflow-templates")
@Produces(MediaType.APPLICATION_JSON)
public class TemplateResource {

  private final Templates templates;
  private final Caller caller;

  TemplateResource(Templates templates, Caller caller) {
    this.templates = templates;
    this.caller = caller;
  }

  @GET
  public Uni<List<Templates.Card>> list(@Context HttpHeaders headers) {
    return templates.list(caller.owner(), chinese(headers));
  }

  @POST
  @Path("/{id}/instantiate")
  @Blocking
  @RunOnVirtualThread
  public Uni<Definition> instantiate(
      String id, byte @Nullable [] body, @Context HttpHeaders headers) {
    var name = RawBody.ofOptional(body).string("name");
    return templates.instantiate(id, caller.owner(), name, chinese(headers));
  }

  private static boolean chinese(HttpHeaders headers) {
    var languages = headers.getAcceptableLanguages();
    return !languages.isEmpty() && "zh".equals(languages.getFirst().getLanguage());
  }
}
