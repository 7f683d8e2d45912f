package io.fengyu.agent.run;

import static jakarta.ws.rs.core.MediaType.APPLICATION_JSON;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.fengyu.contract.identity.Caller;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Tells what a run would do, without doing any of it. */
@Path("/api/agent/dry-run")
public class DryRunResource {

  private static final Duration CATALOG_ANSWERS_WITHIN = Duration.ofSeconds(10);

  private final DryRun runs;
  private final Caller caller;

  DryRunResource(DryRun runs, Caller caller) {
    this.runs = runs;
    this.caller = caller;
  }

  /** Takes the body of a start. */
  @POST
  @Consumes(APPLICATION_JSON)
  @RunOnVirtualThread
  public Foreseen dryRun(byte @Nullable [] body) throws JsonProcessingException {
    var owner = caller.owner();
    var wish = runs.wish(owner, Json.body(body)).await().atMost(CATALOG_ANSWERS_WITHIN);
    return runs.foresee(owner, wish);
  }
}
