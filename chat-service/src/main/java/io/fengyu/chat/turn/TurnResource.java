package io.fengyu.chat.turn;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.chat.journal.TurnIds;
import io.fengyu.chat.journal.TurnStore;
import io.fengyu.contract.identity.Caller;
import io.smallrye.mutiny.Uni;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.util.List;
import org.jboss.resteasy.reactive.RestHeader;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/** Starts chat turns, stops them, answers what they ask, and shows what came of them. */
@Path("/api/ai")
public class TurnResource {

  private final Turns turns;
  private final TurnStore store;
  private final TurnRecords records;
  private final Approvals approvals;
  private final Caller caller;

  TurnResource(
      Turns turns, TurnStore store, TurnRecords records, Approvals approvals, Caller caller) {
    this.turns = turns;
    this.store = store;
    this.records = records;
    this.approvals = approvals;
    this.caller = caller;
  }

  /** Starts a turn, which runs from then on whether or not somebody reads it. */
  @POST
  @Path("/chat")
  public Uni<RestResponse<ObjectNode>> start(
      @NotNull ObjectNode body, @RestHeader("Idempotency-Key") @Nullable String key) {
    return turns.start(caller.owner(), key, body);
  }

  /**
   * Whether a turn was stopped.
   *
   * @param error why not; absent when it was
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Cancelled(boolean ok, @Nullable String streamId, @Nullable String error) {}

  /** Stops a turn; its stream ends with an error. */
  @POST
  @Path("/cancel")
  public Uni<Cancelled> cancel(@RestQuery String streamId) {
    var id = TurnIds.read(streamId);
    if (id == null) {
      return Uni.createFrom().item(notActive());
    }
    return store
        .cancel(caller.owner(), id)
        .map(asked -> asked ? new Cancelled(true, id.toString(), null) : notActive());
  }

  private static Cancelled notActive() {
    return new Cancelled(false, null, "The turn is not active");
  }

  /** What came of a turn so far. */
  @GET
  @Path("/runs/{streamId}")
  public Uni<ObjectNode> record(@RestPath String streamId) {
    return records.of(caller.owner(), TurnIds.of(streamId));
  }

  /** What a turn waits for right now. */
  @GET
  @Path("/tool-approvals")
  public Uni<List<Approvals.Pending>> pending(@RestQuery @Nullable String streamId) {
    return approvals.pending(caller.owner(), TurnIds.of(streamId));
  }

  /** Answers what a turn asked; only the first answer counts. */
  @POST
  @Path("/tool-approvals/{approvalId}")
  public Uni<Approvals.Taken> decide(@RestPath String approvalId, @Nullable JsonNode body) {
    return approvals.decide(caller.owner(), approvalId, body);
  }
}
