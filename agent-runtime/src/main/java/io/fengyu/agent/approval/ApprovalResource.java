package io.fengyu.agent.approval;

import static jakarta.ws.rs.core.MediaType.APPLICATION_JSON;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.contract.identity.Caller;
import io.fengyu.contract.identity.StreamTickets;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerResponse;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.jboss.resteasy.reactive.RestHeader;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;
import org.jspecify.annotations.Nullable;

/** Everything of an owner that waits for a decision: the list, the decisions, the news. */
@Path("/api/agent/approvals")
public class ApprovalResource {

  private static final String STREAM = "/api/agent/approvals/stream";
  private static final int LARGEST_PAGE = 500;

  private final Inbox inbox;
  private final InboxStreams streams;
  private final StreamTickets tickets;
  private final Caller caller;

  ApprovalResource(Inbox inbox, InboxStreams streams, StreamTickets tickets, Caller caller) {
    this.inbox = inbox;
    this.streams = streams;
    this.tickets = tickets;
    this.caller = caller;
  }

  /**
   * One page, oldest first. A further page is named by the headers {@code Link} and {@code
   * X-Next-Cursor}.
   */
  @GET
  public Uni<RestResponse<List<OpenGate>>> list(
      @RestQuery @DefaultValue("200") String limit,
      @RestQuery @Nullable String cursor,
      UriInfo uri) {
    return inbox
        .page(caller.owner(), GateCursor.of(cursor), size(limit))
        .map(page -> answer(page, uri));
  }

  /** Approves, rejects, or lets the call run with other arguments. */
  @POST
  @Path("/{gateId}")
  @Consumes(APPLICATION_JSON)
  public Uni<GateDecided> decide(@RestPath String gateId, @Nullable JsonNode decision) {
    return inbox.decide(caller.owner(), gateId, decision);
  }

  /**
   * What opens and closes from now on, resumable by Last-Event-ID. Whoever brings no cursor, or one
   * that is not kept any more, first gets everything that is open between {@code snapshot} and
   * {@code ready}.
   */
  @GET
  @Path("/stream")
  @Operation(summary = "Openings and closings of gates, resumable by Last-Event-ID")
  @APIResponse(responseCode = "200", content = @Content(mediaType = "text/event-stream"))
  public Uni<Void> watch(
      @RestQuery("after_seq") @Nullable String afterSeq,
      @RestHeader("Last-Event-ID") @Nullable String lastEventId,
      @Context HttpServerResponse response) {
    var cursor = lastEventId == null || lastEventId.isBlank() ? afterSeq : lastEventId;
    return streams.watch(caller.owner(), number(cursor), response);
  }

  /** One ticket, for one stream of approvals, within a minute. */
  @POST
  @Path("/stream-ticket")
  public Uni<StreamTickets.Ticket> ticket() {
    return tickets.issue(caller, STREAM);
  }

  private static @Nullable Long number(@Nullable String cursor) {
    try {
      return cursor == null ? null : Long.valueOf(cursor.strip());
    } catch (NumberFormatException noNumber) {
      return null;
    }
  }

  private static int size(String limit) {
    try {
      var size = Integer.parseInt(limit.strip());
      if (size > 0) {
        return Math.min(LARGEST_PAGE, size);
      }
    } catch (NumberFormatException noNumber) {
      throw ApprovalProblems.parameter("limit");
    }
    throw ApprovalProblems.parameter("limit");
  }

  private static RestResponse<List<OpenGate>> answer(Inbox.Page page, UriInfo uri) {
    var answer = ResponseBuilder.ok(page.gates());
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
