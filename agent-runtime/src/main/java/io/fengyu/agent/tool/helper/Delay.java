package io.fengyu.agent.tool.helper;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
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

/** Waits, and gives the wait up as soon as the run is to stop. */
@Singleton
class Delay implements Tool {

  private static final int LONGEST_MS = 60_000;
  private static final int LOOK_EVERY_MS = 100;

  private static final ToolSpec SPEC =
      Declaration.of("delay", "Waits for some milliseconds, at most a minute.")
          .effect(Effect.READ)
          .resources(List.of(), List.of())
          .label("Wait")
          .control()
          .in(Field.required("ms", "integer", "How long, in milliseconds.").between(0, LONGEST_MS))
          .out(Field.required("waitedMs", "integer", "How long it waited."))
          .spec();

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public String call(ToolCall call) throws ToolException, InterruptedException {
    int ms = ToolArgs.of(call).integer("ms", -1, 0, LONGEST_MS);
    if (ms < 0) {
      throw new ToolException("argument 'ms' is missing");
    }
    for (int left = ms; left > 0; left -= LOOK_EVERY_MS) {
      if (call.cancelled().getAsBoolean()) {
        throw new InterruptedException("cancelled while waiting");
      }
      Thread.sleep(Math.min(left, LOOK_EVERY_MS));
    }
    return JsonNodeFactory.instance.objectNode().put("waitedMs", ms).toString();
  }
}
