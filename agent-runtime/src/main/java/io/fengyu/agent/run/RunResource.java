package io.fengyu.agent.run;

import static jakarta.ws.rs.core.MediaType.APPLICATION_JSON;
import static jakarta.ws.rs.core.MediaType.WILDCARD;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.fengyu.agent.journal.Ids;
import io.fengyu.agent.journal.RunStatus;
import io.fengyu.agent.journal.StoredRun;
import io.fengyu.contract.identity.Caller;
import io.fengyu.contract.identity.StartLimit;
import io.fengyu.contract.start.Starts;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.util.UUID;
import org.jboss.resteasy.reactive.RestHeader;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/** Starts runs, takes decisions about their gates, and stops them. */
@Path("/api/agent")
public class RunResource {

  private final Runs runs;
  private final Approvals approvals;
  private final Caller caller;
  private final StartLimit limit;
  private final Starts starts;

  RunResource(Runs runs, Approvals approvals, Caller caller, StartLimit limit, Starts starts) {
    this.runs = runs;
    this.approvals = approvals;
    this.caller = caller;
    this.limit = limit;
    this.starts = starts;
  }

  /**
   * A decision that was taken.
   *
   * @param already true when it had been taken before; absent otherwise
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record GateResolved(
      boolean ok,
      @Nullable Boolean already,
      UUID runId,
      RunStatus status,
      @JsonProperty("execution_generation") int executionGeneration) {}

  /**
   * A run after somebody asked for its end.
   *
   * @param ok false when it had ended otherwise before
   */
  public record RunCancelled(
      boolean ok,
      UUID runId,
      RunStatus status,
      @JsonProperty("run_status") String runStatus,
      @JsonProperty("cancel_status") String cancelStatus,
      @JsonProperty("execution_stopped") boolean executionStopped,
      @JsonProperty("terminal_persisted") boolean terminalPersisted,
      @JsonProperty("execution_generation") int executionGeneration,
      int revision,
      @JsonProperty("can_send") boolean canSend) {}

  /** Starts a run; answers before it is planned or executed. */
  @POST
  @Path("/run")
  @Consumes(APPLICATION_JSON)
  public Uni<RestResponse<RunStarted>> start(
      @RestHeader("Idempotency-Key") @Nullable String key, byte @Nullable [] body)
      throws JsonProcessingException {
    var owner = caller.owner();
    var json = Json.body(body);
    return starts.once(
        key,
        json,
        RunStarted.class,
        claims -> {
          limit.admit(owner);
          return runs.start(owner, json, claims);
        });
  }

  /** Starts one run for each goal, all or none; answers before any of them is planned. */
  @POST
  @Path("/batch")
  @Consumes(APPLICATION_JSON)
  public Uni<RestResponse<BatchStarted>> batch(
      @RestHeader("Idempotency-Key") @Nullable String key, byte @Nullable [] body)
      throws JsonProcessingException {
    var owner = caller.owner();
    var json = Json.body(body);
    return starts.once(
        key,
        json,
        BatchStarted.class,
        claims -> {
          var goals = Batch.bodies(json);
          goals.forEach(each -> limit.admit(owner));
          return runs.startAll(owner, goals, claims);
        });
  }

  /**
   * Releases the open gate: as it is, with another plan, or by a decision on one call. No body, of
   * whatever type, releases it as it is.
   */
  @POST
  @Path("/{runId}/approve")
  @Consumes(WILDCARD)
  public Uni<GateResolved> approve(@RestPath String runId, byte @Nullable [] body)
      throws JsonProcessingException {
    return approvals
        .resolve(caller.owner(), Ids.run(runId), Json.body(body))
        .map(
            done ->
                new GateResolved(
                    true,
                    done.already() ? true : null,
                    done.runId(),
                    done.status(),
                    done.generation()));
  }

  /** Asks for the end of a run; it comes as soon as what runs can be stopped. */
  @POST
  @Path("/{runId}/cancel")
  public Uni<RunCancelled> cancel(@RestPath String runId) {
    return runs.cancel(caller.owner(), Ids.run(runId)).map(RunResource::cancelled);
  }

  private static RunCancelled cancelled(StoredRun run) {
    boolean otherEnd = !run.status().open() && run.status() != RunStatus.CANCELLED;
    return new RunCancelled(
        !otherEnd,
        run.id(),
        run.status(),
        run.status().runStatus(),
        run.cancelStatus().wire(),
        run.executionStopped(),
        run.terminalPersisted(),
        run.generation(),
        run.revision(),
        run.canSend());
  }
}
