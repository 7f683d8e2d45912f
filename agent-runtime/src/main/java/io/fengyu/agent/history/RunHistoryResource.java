package io.fengyu.agent.history;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.journal.Ids;
import io.fengyu.contract.identity.Caller;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.List;
import java.util.UUID;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jspecify.annotations.Nullable;

/** Lists runs and reads them back. */
@Path("/api/agent")
public class RunHistoryResource {

  private final RunHistory history;
  private final Caller caller;

  RunHistoryResource(RunHistory history, Caller caller) {
    this.history = history;
    this.caller = caller;
  }

  /** Newest change first; {@code cursor} is the id of the last run of the page before. */
  @GET
  @Path("/runs")
  public Uni<List<RunItem>> list(
      @RestQuery @Nullable String q,
      @RestQuery @DefaultValue("200") String limit,
      @RestQuery @Nullable String cursor) {
    UUID after = cursor == null ? null : Ids.run(cursor);
    var part = q == null || q.isEmpty() ? null : q;
    return history.newest(caller.owner(), part, Numbers.limit(limit), after);
  }

  /** Everything about one run. */
  @GET
  @Path("/runs/{runId}")
  public Uni<ObjectNode> detail(@RestPath String runId) {
    return history.detail(caller.owner(), Ids.run(runId));
  }

  /** Stored events of the stream, page by page. */
  @GET
  @Path("/runs/{runId}/events")
  public Uni<ObjectNode> events(
      @RestPath String runId,
      @RestQuery("after_seq") @DefaultValue("-1") String afterSeq,
      @RestQuery @DefaultValue("500") String limit) {
    var run = Ids.run(runId);
    return history.events(caller.owner(), run, Numbers.cursor(afterSeq), Numbers.limit(limit));
  }

  /** What the run's tools did to the world, as far as it is known. */
  @GET
  @Path("/runs/{runId}/receipts")
  public Uni<List<Receipt>> receipts(@RestPath String runId) {
    return history.receipts(caller.owner(), Ids.run(runId));
  }

  /** Whether a conversation can take a further request, and its last runs. */
  @GET
  @Path("/sessions/{sessionId}")
  public Uni<ObjectNode> session(@RestPath String sessionId) {
    return history.session(caller.owner(), sessionId);
  }
}
