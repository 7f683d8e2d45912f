package io.fengyu.agent.file;

import io.fengyu.agent.file.WrittenFiles.Written;
import io.fengyu.contract.identity.Caller;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.HttpHeaders;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestResponse;

/** What a run made, to fetch. */
@Path("/api/agent/runs/{runId}/files")
public class RunFileResource {

  private final MadeFiles made;
  private final Caller caller;

  RunFileResource(MadeFiles made, Caller caller) {
    this.made = made;
    this.caller = caller;
  }

  /** The files, by the step that wrote them. */
  @GET
  public Uni<List<Written>> list(@RestPath UUID runId) {
    return made.of(caller.owner(), runId);
  }

  /** One of the listed files, as an attachment. */
  @GET
  @Path("/{path: .+}")
  public Uni<RestResponse<java.nio.file.Path>> download(
      @RestPath UUID runId, @RestPath String path) {
    return made.find(caller.owner(), runId, path).map(RunFileResource::attachment);
  }

  static RestResponse<java.nio.file.Path> attachment(java.nio.file.Path file) {
    var name = String.valueOf(file.getFileName());
    return RestResponse.ResponseBuilder.ok(file)
        .header(HttpHeaders.CONTENT_TYPE, "application/octet-stream")
        .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename*=UTF-8''" + encoded(name))
        .build();
  }

  private static String encoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20").replace("*", "%2A");
  }
}
