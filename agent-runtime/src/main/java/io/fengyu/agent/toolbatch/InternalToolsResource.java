package io.fengyu.agent.toolbatch;

import static jakarta.ws.rs.core.MediaType.APPLICATION_JSON;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.journal.Ids;
import io.fengyu.agent.run.Json;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.toolbatch.ToolBatches.Asker;
import io.fengyu.contract.identity.Caller;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jboss.resteasy.reactive.RestStreamElementType;
import org.jboss.resteasy.reactive.common.util.RestMediaType;
import org.jspecify.annotations.Nullable;

/** Lets the turns of a chat see, judge and make calls of tools. */
@Path("/internal/tools")
@Consumes(APPLICATION_JSON)
public class InternalToolsResource {

  private static final Duration BEAT = Duration.ofSeconds(10);

  private final ToolBatches batches;
  private final Caller caller;

  InternalToolsResource(ToolBatches batches, Caller caller) {
    this.batches = batches;
    this.caller = caller;
  }

  /** A tool as a model is offered it. */
  public record Offered(String name, String description, ObjectNode inputSchema, String effect) {}

  /**
   * A line of a batch that is being made.
   *
   * @param end one call has come to its end; null in the last line, and in a sign of life
   * @param batchId in the last line
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Line(@Nullable BatchEnd end, @Nullable UUID batchId) {}

  /** The catalog of a turn; with the tools of a canvas, if the turn is about one. */
  @POST
  @Path("/catalog")
  public Uni<List<Offered>> catalog(byte @Nullable [] body) throws JsonProcessingException {
    var sent = Json.body(body);
    var asked = sent == null ? JsonNodeFactory.instance.objectNode() : sent;
    var workflow = asked.path("workflowId");
    JsonNode context = asked.path("flowContext");
    return batches
        .tools(
            caller.owner(),
            workflow.isTextual() ? workflow.textValue() : null,
            Json.absent(context) ? null : context)
        .map(InternalToolsResource::offered);
  }

  private static List<Offered> offered(Map<String, Tool> tools) {
    return tools.values().stream()
        .map(Tool::spec)
        .map(
            spec ->
                new Offered(
                    spec.name(), spec.description(), spec.inputSchema(), spec.effect().wire()))
        .toList();
  }

  /** What would be said to these calls; none is made. */
  @POST
  @Path("/judge")
  public Uni<List<ToolBatches.Judged>> judge(byte @Nullable [] body)
      throws JsonProcessingException {
    return batches.judge(asker(), BatchRequest.read(Json.body(body), true));
  }

  /** Makes calls and tells of every end when it comes; a caller who goes stops what still runs. */
  @POST
  @Path("/run")
  @Produces(RestMediaType.APPLICATION_NDJSON)
  @RestStreamElementType(APPLICATION_JSON)
  public Multi<Line> run(byte @Nullable [] body, @Context RoutingContext exchange)
      throws JsonProcessingException {
    var request = BatchRequest.read(Json.body(body), true);
    var asker = asker();
    return Multi.createFrom()
        .emitter(
            lines -> {
              var beats =
                  exchange
                      .vertx()
                      .setPeriodic(BEAT.toMillis(), beat -> lines.emit(new Line(null, null)));
              lines.onTermination(() -> exchange.vertx().cancelTimer(beats));
              batches
                  .make(
                      asker,
                      request,
                      gone -> ToolBatchResource.whenGone(exchange, gone),
                      end -> lines.emit(new Line(end, null)))
                  .subscribe()
                  .with(
                      done -> {
                        lines.emit(new Line(null, done.batchId()));
                        lines.complete();
                      },
                      lines::fail);
            });
  }

  private Asker asker() {
    return new Asker(caller.owner(), caller.runId() == null ? null : Ids.run(caller.runId()));
  }
}
