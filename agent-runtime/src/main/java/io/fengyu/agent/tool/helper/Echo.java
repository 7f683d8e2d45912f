package io.fengyu.agent.tool.helper;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fengyu.agent.tool.Declaration;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolSpec;
import jakarta.inject.Singleton;
import java.util.List;

/** Returns what it was given, to see what a reference resolves to or to shape one step's result. */
@Singleton
class Echo implements Tool {

  private static final ToolSpec SPEC = anyArguments(declared());

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public String call(ToolCall call) {
    return call.args().toString();
  }

  private static ToolSpec declared() {
    return Declaration.of(
            "echo", "Returns its arguments, whatever they are called, as one JSON object.")
        .effect(Effect.READ)
        .resources(List.of(), List.of())
        .label("Echo")
        .spec();
  }

  private static ToolSpec anyArguments(ToolSpec spec) {
    spec.inputSchema().set("additionalProperties", JsonNodeFactory.instance.booleanNode(true));
    return spec;
  }
}
