package io.fengyu.contract.health;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** Says that the process answers; asks no database and no token. */
@Path("/api/health")
public class HealthResource {

  /** The whole answer. */
  public record Health(String status) {}

  /** Always ok: who gets an answer has its answer. */
  @GET
  @Produces(MediaType.APPLICATION_JSON)
  public Health health() {
    return new Health("ok");
  }
}
