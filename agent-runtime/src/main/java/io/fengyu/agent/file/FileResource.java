package io.fengyu.agent.file;

import io.fengyu.agent.file.FileGrants.Granted;
import io.fengyu.agent.file.FileRef.Kind;
import io.fengyu.contract.identity.Caller;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes files in, and hands out references that a run may be given. */
@Path("/api/ai/files")
public class FileResource {

  private final Uploads uploads;
  private final FileGrants grants;
  private final Caller caller;

  FileResource(Uploads uploads, FileGrants grants, Caller caller) {
    this.uploads = uploads;
    this.grants = grants;
    this.caller = caller;
  }

  /**
   * A path of the server's own machine.
   *
   * @param kind {@code file} when left out
   */
  public record NativePath(
      @NotBlank String path,
      @Nullable @Pattern(regexp = "file|directory") String kind,
      boolean writableDirectory) {

    Kind asked() {
      return "directory".equals(kind) ? Kind.DIRECTORY : Kind.FILE;
    }
  }

  /** A reference that is no longer needed. */
  public record Revoked(@NotBlank String pluginId, @NotBlank String refId) {}

  /** Answer to what needs none. */
  public record Ok(boolean ok) {}

  /** Files, as the parts of a multipart body. */
  @POST
  @Path("/upload")
  @NonBlocking
  public Uni<List<Granted>> upload(@Context HttpServerRequest request) {
    return uploads.files(caller.owner(), request);
  }

  /** A directory: its files as parts, with a field {@code paths} for each, in the same order. */
  @POST
  @Path("/upload-directory")
  @NonBlocking
  public Uni<List<Granted>> uploadDirectory(@Context HttpServerRequest request) {
    return uploads.directory(caller.owner(), request);
  }

  /** A file or directory that lies on the server already, below an allowed root. */
  @POST
  @Path("/native")
  public Uni<List<Granted>> nativePath(@NotNull @Valid NativePath body) {
    return uploads.nativePath(caller.owner(), body.path(), body.asked(), body.writableDirectory());
  }

  /** Ends a reference before its time. */
  @POST
  @Path("/revoke")
  public Uni<Ok> revoke(@NotNull @Valid Revoked body) {
    return grants.revoke(caller.owner(), body.pluginId(), body.refId()).replaceWith(new Ok(true));
  }
}
