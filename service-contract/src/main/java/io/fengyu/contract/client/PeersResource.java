package io.fengyu.contract.client;

import io.fengyu.contract.problem.Problem;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import java.net.URI;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Tells a running service where the others are by now. */
@Path("/internal/peers")
public class PeersResource {

  private final Peers peers;

  PeersResource(Peers peers) {
    this.peers = peers;
  }

  /** Replaces the addresses of every service that the body names. */
  @PUT
  public void replace(@NotNull Map<String, List<String>> body) {
    var changed = new EnumMap<Service, List<URI>>(Service.class);
    body.forEach((name, addresses) -> changed.put(named(name), parsed(name, addresses)));
    peers.replace(changed);
  }

  private static Service named(String name) {
    return Service.named(name)
        .orElseThrow(() -> Problem.of(400, "UNKNOWN_SERVICE").with("service", name).asFailure());
  }

  private static List<URI> parsed(String name, List<String> addresses) {
    try {
      return Peers.parse(name, addresses);
    } catch (IllegalArgumentException malformed) {
      throw Problem.of(400, "ADDRESS_INVALID").with("service", name).asFailure();
    }
  }
}
