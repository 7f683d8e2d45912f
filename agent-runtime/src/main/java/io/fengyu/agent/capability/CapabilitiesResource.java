package io.fengyu.agent.capability;

import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.Map;

/** Tells clients what they may offer. */
@Path("/api/capabilities")
public class CapabilitiesResource {

  private final Offers offers;

  CapabilitiesResource(Offers offers) {
    this.offers = offers;
  }

  /** Only booleans; what is not certain is false. */
  @GET
  public Uni<Map<String, Boolean>> now() {
    return offers.now();
  }
}
