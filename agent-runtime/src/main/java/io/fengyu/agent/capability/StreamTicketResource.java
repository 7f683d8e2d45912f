package io.fengyu.agent.capability;

import io.fengyu.contract.identity.Caller;
import io.fengyu.contract.identity.StreamTickets;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;

/** Gives out tickets for the stream of a run. */
@Path("/api/agent/stream-ticket")
public class StreamTicketResource {

  private static final String STREAM = "/api/agent/stream";

  private final StreamTickets tickets;
  private final Caller caller;

  StreamTicketResource(StreamTickets tickets, Caller caller) {
    this.tickets = tickets;
    this.caller = caller;
  }

  /** One ticket, for one stream, within a minute. */
  @POST
  public Uni<StreamTickets.Ticket> issue() {
    return tickets.issue(caller, STREAM);
  }
}
