package io.fengyu.agent.guard;

import io.fengyu.agent.tool.command.Sandbox;
import io.fengyu.agent.tool.command.Sandbox.Backend;
import jakarta.enterprise.context.ApplicationScoped;

/** What the sandbox of this machine says about itself. */
@ApplicationScoped
class SandboxConfinement implements Confinement {

  private final Sandbox sandbox;

  SandboxConfinement(Sandbox sandbox) {
    this.sandbox = sandbox;
  }

  @Override
  public boolean confines() {
    return sandbox.backend() != Backend.NONE;
  }
}
