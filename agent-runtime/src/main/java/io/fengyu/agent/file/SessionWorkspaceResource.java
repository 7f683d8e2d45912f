package io.fengyu.agent.file;

import io.fengyu.agent.tool.workspace.AreaFiles.Listing;
import io.fengyu.contract.identity.Caller;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/** The workspace of a conversation: what was handed in, worked on and published. */
@Path("/api/agent/sessions/{sessionId}/workspace")
public class SessionWorkspaceResource {

  private final SessionFiles files;
  private final Caller caller;

  SessionWorkspaceResource(SessionFiles files, Caller caller) {
    this.files = files;
    this.caller = caller;
  }

  /** Its files, of one area or of all. */
  @GET
  public Uni<Listing> list(@RestPath String sessionId, @RestQuery @Nullable String area) {
    return files.list(caller.owner(), sessionId, area);
  }

  /** One of them, as an attachment. */
  @GET
  @Path("/{area}/{path: .+}")
  public Uni<RestResponse<java.nio.file.Path>> download(
      @RestPath String sessionId, @RestPath String area, @RestPath String path) {
    return files.find(caller.owner(), sessionId, area, path).map(RunFileResource::attachment);
  }
}
