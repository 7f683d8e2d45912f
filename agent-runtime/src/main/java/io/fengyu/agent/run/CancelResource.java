package io.fengyu.agent.run;

import static jakarta.ws.rs.core.MediaType.APPLICATION_JSON;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.fengyu.contract.identity.Caller;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/** Cancels with an id of their own: they can be sent again and asked for. */
@Path("/api/agent/cancel")
public class CancelResource {

  private final CancelRequests cancels;
  private final Caller caller;

  CancelResource(CancelRequests cancels, Caller caller) {
    this.cancels = cancels;
    this.caller = caller;
  }

  /**
   * Asks for the end of a run, by its id or by that of the request to start it, even before that
   * came. 202 while something may still be at work, 200 when the end is stored.
   */
  @POST
  @Consumes(APPLICATION_JSON)
  public Uni<RestResponse<CancelState>> cancel(byte @Nullable [] body)
      throws JsonProcessingException {
    return cancels
        .request(caller.owner(), CancelTarget.read(Json.body(body)))
        .map(
            state ->
                RestResponse.status(
                    state.settled() ? RestResponse.Status.OK : RestResponse.Status.ACCEPTED,
                    state));
  }

  /** How far a request has come. */
  @GET
  @Path("/{cancelRequestId}")
  public Uni<CancelState> state(@RestPath String cancelRequestId) {
    return cancels.find(caller.owner(), cancelRequestId);
  }
}
