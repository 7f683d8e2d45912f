package io.fengyu.agent.guard;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.guard.Verdict.Decision;
import io.fengyu.agent.guard.Verdict.Stage;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.ToolSpec;
import jakarta.enterprise.context.ApplicationScoped;

/** Judges every call of a tool before it happens, by its resolved arguments. */
@ApplicationScoped
public class Guard {

  /** The verdict on one call. Computed without waiting for anything. */
  public Verdict judge(PermissionMode mode, ToolSpec tool, ObjectNode args) {
    var decision = asks(mode, tool.effect()) ? Decision.ASK : Decision.ALLOW;
    return new Verdict(decision, Stage.MODE, mode.wire() + ", effect " + tool.effect().wire());
  }

  // Every command counts as risky: telling harmless ones apart needs rules about their text.
  private static boolean asks(PermissionMode mode, Effect effect) {
    return switch (mode) {
      case ASK_FOR_APPROVAL -> effect != Effect.READ;
      case APPROVE_FOR_ME -> effect == Effect.EXTERNAL || effect == Effect.COMMAND;
      case FULL_ACCESS -> false;
    };
  }
}
