package io.fengyu.agent.journal;

import io.fengyu.contract.identity.Caller;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerResponse;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.jboss.resteasy.reactive.RestHeader;
import org.jboss.resteasy.reactive.RestQuery;
import org.jspecify.annotations.Nullable;

/** Lets clients watch a run: what came after their cursor, then what happens, to the end. */
@Path("/api/agent/stream")
public class StreamResource {

  private final EventStreams streams;
  private final Caller caller;

  StreamResource(EventStreams streams, Caller caller) {
    this.streams = streams;
    this.caller = caller;
  }

  /** Writes the frames itself, as the socket takes them; ends when the run does. */
  @GET
  @Operation(summary = "Events of a run, resumable by Last-Event-ID")
  @APIResponse(responseCode = "200", content = @Content(mediaType = "text/event-stream"))
  public Uni<Void> watch(
      @RestQuery @Nullable String runId,
      @RestQuery("after_seq") @Nullable String afterSeq,
      @RestQuery @Nullable String after,
      @RestHeader("Last-Event-ID") @Nullable String lastEventId,
      @Context HttpServerResponse response) {
    UUID run = Ids.run(runId);
    var cursor = Cursor.of(lastEventId, afterSeq == null ? after : afterSeq);
    return streams.watch(caller.owner(), run, cursor, response);
  }
}
