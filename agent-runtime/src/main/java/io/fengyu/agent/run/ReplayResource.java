package io.fengyu.agent.run;

import static jakarta.ws.rs.core.MediaType.WILDCARD;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.agent.journal.Ids;
import io.fengyu.contract.identity.Caller;
import io.fengyu.contract.identity.StartLimit;
import io.fengyu.contract.start.Starts;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.util.function.Supplier;
import org.jboss.resteasy.reactive.RestHeader;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/** Starts runs from the plans of earlier ones. */
@Path("/api/agent")
public class ReplayResource {

  private static final String KEY = "Idempotency-Key";

  private final Replays replays;
  private final Caller caller;
  private final StartLimit limit;
  private final Starts starts;

  ReplayResource(Replays replays, Caller caller, StartLimit limit, Starts starts) {
    this.replays = replays;
    this.caller = caller;
    this.limit = limit;
    this.starts = starts;
  }

  /** Goes on with a run that failed or was cancelled; what it completed is not done again. */
  @POST
  @Path("/runs/{runId}/resume")
  @Consumes(WILDCARD)
  public Uni<RestResponse<RunStarted>> resume(
      @RestPath String runId, @RestHeader(KEY) @Nullable String key, byte @Nullable [] body)
      throws JsonProcessingException {
    var json = Json.body(body);
    return start(runId, key, json, () -> Replay.read(Replay.Kind.RESUME, json));
  }

  /** Has the plan of a run that is over done again, with nothing taken over. */
  @POST
  @Path("/runs/{runId}/fork")
  @Consumes(WILDCARD)
  public Uni<RestResponse<RunStarted>> fork(
      @RestPath String runId, @RestHeader(KEY) @Nullable String key, byte @Nullable [] body)
      throws JsonProcessingException {
    var json = Json.body(body);
    return start(runId, key, json, () -> Replay.read(Replay.Kind.FORK, json));
  }

  /** Goes back to one of the first steps of a run that is over. */
  @POST
  @Path("/runs/{runId}/rewind")
  @Consumes(WILDCARD)
  public Uni<RestResponse<RunStarted>> rewind(
      @RestPath String runId, @RestHeader(KEY) @Nullable String key, byte @Nullable [] body)
      throws JsonProcessingException {
    var json = Json.body(body);
    return start(runId, key, json, () -> Replay.rewind(json));
  }

  private Uni<RestResponse<RunStarted>> start(
      String runId, @Nullable String key, @Nullable JsonNode json, Supplier<Replay> replay) {
    var owner = caller.owner();
    var from = Ids.run(runId);
    return starts.once(
        key,
        json,
        RunStarted.class,
        claims -> {
          limit.admit(owner);
          return replays.start(owner, from, replay.get(), claims);
        });
  }
}
