package io.fengyu.agent.toolbatch;

import static jakarta.ws.rs.core.MediaType.APPLICATION_JSON;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.fengyu.agent.journal.Ids;
import io.fengyu.agent.run.Json;
import io.fengyu.agent.toolbatch.BatchReceipts.Receipt;
import io.fengyu.agent.toolbatch.ToolBatches.Asker;
import io.fengyu.contract.identity.Caller;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import java.util.List;
import java.util.UUID;
import org.jboss.resteasy.reactive.RestPath;
import org.jspecify.annotations.Nullable;

/** Makes the tool calls of one turn of a model. */
@Path("/api/agent/tools/batch")
public class ToolBatchResource {

  private final ToolBatches batches;
  private final BatchReceipts receipts;
  private final Caller caller;

  ToolBatchResource(ToolBatches batches, BatchReceipts receipts, Caller caller) {
    this.batches = batches;
    this.receipts = receipts;
    this.caller = caller;
  }

  /**
   * A batch that is over.
   *
   * @param batchId where its receipts can be read
   * @param results in the order of the calls
   */
  public record BatchDone(UUID batchId, List<BatchEnd> results) {}

  /** Answers when every call has its end; a caller who goes stops what still runs. */
  @POST
  @Consumes(APPLICATION_JSON)
  public Uni<BatchDone> make(byte @Nullable [] body, @Context RoutingContext exchange)
      throws JsonProcessingException {
    var request = BatchRequest.read(Json.body(body), caller.internal());
    var run = caller.internal() && caller.runId() != null ? Ids.run(caller.runId()) : null;
    return batches
        .make(new Asker(caller.owner(), run), request, gone -> whenGone(exchange, gone))
        .map(done -> new BatchDone(done.batchId(), done.results()));
  }

  static void whenGone(RoutingContext exchange, Runnable then) {
    exchange.addEndHandler(
        end -> {
          if (end.failed()) {
            then.run();
          }
        });
  }

  /** What the batch's calls with effects came to, in order. */
  @GET
  @Path("/{batchId}/receipts")
  public Uni<List<Receipt>> receipts(@RestPath String batchId) {
    return receipts.of(caller.owner(), Ids.run(batchId));
  }
}
