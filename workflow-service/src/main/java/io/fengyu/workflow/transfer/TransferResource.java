package io.fengyu.workflow.transfer;

import io.fengyu.contract.identity.Caller;
import io.fengyu.workflow.json.RawBody;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;

/** Takes workflows out as files and in again. */
@Path("/api/workflows")
@Produces(MediaType.APPLICATION_JSON)
public class TransferResource {

  private final Transfer transfer;
  private final Caller caller;

  TransferResource(Transfer transfer, Caller caller) {
    this.transfer = transfer;
    this.caller = caller;
  }

  /** The workflow with everything it needs to be understood, in one file. */
  @GET
  @Path("/{id}/export")
  public Uni<RestResponse<String>> export(String id) {
    return transfer
        .export(id, caller.owner())
        .map(
            file ->
                ResponseBuilder.ok(file)
                    .header(
                        "Content-Disposition", "attachment; filename=\"workflow-" + id + ".json\"")
                    .build());
  }

  /**
   * Makes a draft of a file.
   *
   * @param check true to store nothing and be told what is missing or wrong
   */
  @POST
  @Path("/import")
  @Consumes(MediaType.APPLICATION_JSON)
  @Blocking
  @RunOnVirtualThread
  public Uni<Object> imported(byte[] body, @RestQuery @DefaultValue("false") boolean check) {
    var file = RawBody.of(body);
    return check
        ? transfer.check(caller.owner(), file).map(findings -> findings)
        : transfer.imported(caller.owner(), file).map(definition -> definition);
  }
}
