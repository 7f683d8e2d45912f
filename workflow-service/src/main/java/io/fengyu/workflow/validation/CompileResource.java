package io.fengyu.workflow.validation;

import io.fengyu.workflow.compile.Compiled;
import io.fengyu.workflow.json.RawBody;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** Shows an editor the plan that its canvas stands for; stores nothing. */
@Path("/api/workflows/compile")
@Produces(MediaType.APPLICATION_JSON)
public class CompileResource {

  private final DraftChecks checks;

  CompileResource(DraftChecks checks) {
    this.checks = checks;
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @RunOnVirtualThread
  public Compiled compile(byte[] body) {
    return checks.compile(RawBody.of(body));
  }
}
