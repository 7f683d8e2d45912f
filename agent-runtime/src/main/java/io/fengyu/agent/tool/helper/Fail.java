package io.fengyu.agent.tool.helper;

import io.fengyu.agent.tool.Declaration;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolArgs;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.ToolSpec;
import jakarta.inject.Singleton;
import java.util.List;

/** Ends a branch as failed, with a reason, where a flow finds something it must not go on with. */
@Singleton
class Fail implements Tool {

  private static final ToolSpec SPEC =
      Declaration.of("fail", "Fails on purpose with the given message, which ends the run there.")
          .effect(Effect.READ)
          .resources(List.of(), List.of())
          .label("Stop with an error")
          .control()
          .in(Field.required("message", "string", "Why the run must not go on."))
          .spec();

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public String call(ToolCall call) throws ToolException {
    throw new ToolException(ToolArgs.of(call).text("message"));
  }
}
