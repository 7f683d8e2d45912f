package io.fengyu.contract.capability;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.Map;

/** Tells the other services what this one can do. */
@Path("/internal/capabilities")
public class LocalCapabilitiesResource {

  private final LocalCapabilities capabilities;

  LocalCapabilitiesResource(LocalCapabilities capabilities) {
    this.capabilities = capabilities;
  }

  /** Name and whether it works. */
  @GET
  @Produces(MediaType.APPLICATION_JSON)
  public Map<String, Boolean> now() {
    return capabilities.now();
  }
}
