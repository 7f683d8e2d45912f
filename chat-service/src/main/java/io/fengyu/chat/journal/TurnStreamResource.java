package io.fengyu.chat.journal;

import io.fengyu.contract.identity.Caller;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerResponse;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.jboss.resteasy.reactive.RestHeader;
import org.jboss.resteasy.reactive.RestQuery;
import org.jspecify.annotations.Nullable;

/** Lets clients read a turn: what came after their cursor, then what happens, to the end. */
@Path("/api/ai/stream")
public class TurnStreamResource {

  private final TurnStreams streams;
  private final Caller caller;

  TurnStreamResource(TurnStreams streams, Caller caller) {
    this.streams = streams;
    this.caller = caller;
  }

  /** Writes the frames itself, as the socket takes them; ends when the turn does. */
  @GET
  @Operation(summary = "Events of a chat turn, resumable by Last-Event-ID")
  @APIResponse(responseCode = "200", content = @Content(mediaType = "text/event-stream"))
  public Uni<Void> read(
      @RestQuery @Nullable String streamId,
      @RestQuery("after_seq") @Nullable String afterSeq,
      @RestQuery @Nullable String after,
      @RestHeader("Last-Event-ID") @Nullable String lastEventId,
      @Context HttpServerResponse response) {
    var id = TurnIds.of(streamId);
    var cursor = Cursor.of(lastEventId, afterSeq == null ? after : afterSeq);
    return streams.read(caller.owner(), id, cursor, response);
  }
}
