package io.fengyu.agent.tool.computer;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolArgs;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.ToolSpec;
import java.io.IOException;

/** One thing that can be done with the machine's display. */
final class ComputerTool implements Tool {

  private final ToolSpec spec;
  private final String name;
  private final Desktop desktop;
  private final Action action;

  ComputerTool(ToolSpec spec, String name, Desktop desktop, Action action) {
    this.spec = spec;
    this.name = name;
    this.desktop = desktop;
    this.action = action;
  }

  /** Does it. */
  interface Action {
    ObjectNode act(ToolArgs args) throws ToolException, IOException, InterruptedException;
  }

  @Override
  public ToolSpec spec() {
    return spec;
  }

  @Override
  public String call(ToolCall call) throws IOException, InterruptedException {
    try {
      if (!desktop.present()) {
        return failed(Desktop.UNAVAILABLE);
      }
      return action.act(ToolArgs.of(call)).put("action", name).toString();
    } catch (ToolException e) {
      return failed(String.valueOf(e.getMessage()));
    }
  }

  private String failed(String why) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("success", false)
        .put("action", name)
        .put("summary", why)
        .toString();
  }
}
