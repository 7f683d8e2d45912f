package io.fengyu.agent.job;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.identity.Caller;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jspecify.annotations.Nullable;

/** Shows the jobs of the caller's runs, and ends them. */
@Path("/api/agent/jobs")
public class JobResource {

  private final JobStore store;
  private final LeftJobs left;
  private final Caller caller;
  private final ObjectMapper json;
  private final boolean cancelEnabled;

  JobResource(
      JobStore store,
      LeftJobs left,
      Caller caller,
      ObjectMapper json,
      @ConfigProperty(name = "fengyu.runs.cancel-enabled") boolean cancelEnabled) {
    this.store = store;
    this.left = left;
    this.caller = caller;
    this.json = json;
    this.cancelEnabled = cancelEnabled;
  }

  /** The job as it was last heard of, with the progress after a cursor. */
  @GET
  @Path("/{jobId}")
  public Uni<ObjectNode> show(
      @RestPath String jobId, @RestQuery("after_seq") @Nullable String afterSeq) {
    long cursor = JobProblems.cursor(afterSeq);
    return store
        .find(caller.owner(), jobId)
        .map(job -> JobStore.shown(JobProblems.known(job), cursor, json));
  }

  /** Asks for the end of a job and of what it handed over to. */
  @POST
  @Path("/{jobId}/cancel")
  @ResponseStatus(202)
  public Uni<ObjectNode> cancel(@RestPath String jobId) {
    JobProblems.checkEnabled(cancelEnabled);
    var owner = caller.owner();
    return store
        .find(owner, jobId)
        .invoke(JobProblems::known)
        .call(() -> store.cancel(owner, jobId))
        .call(() -> left.end(owner, jobId))
        .map(job -> JobStore.shown(JobProblems.known(job), 0, json));
  }
}
