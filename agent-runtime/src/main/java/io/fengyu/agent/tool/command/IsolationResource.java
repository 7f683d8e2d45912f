package io.fengyu.agent.tool.command;

import io.fengyu.agent.tool.command.Sandbox.Backend;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** Tells truthfully how commands are confined. */
@Path("/api/security/process-isolation")
public class IsolationResource {

  private final Sandbox sandbox;

  IsolationResource(Sandbox sandbox) {
    this.sandbox = sandbox;
  }

  /**
   * How commands are confined.
   *
   * @param reduced true when less is confined than could be
   * @param compatibilityMode true when every command asks, for want of a sandbox
   * @param lifecycleIsolation what makes sure that nothing outlives its command
   */
  public record Isolation(
      Backend backend,
      boolean sandboxed,
      boolean reduced,
      boolean compatibilityMode,
      String lifecycleIsolation) {}

  /** As it is on the replica that answers. */
  @GET
  @Blocking
  public Isolation now() {
    var backend = sandbox.backend();
    boolean sandboxed = backend != Backend.NONE;
    return new Isolation(
        backend,
        sandboxed,
        backend == Backend.LANDLOCK,
        !sandboxed,
        sandbox.stays() ? backend.wire() : "session");
  }
}
