package io.fengyu.agent.mcp;

import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.ToolSpec;
import java.util.UUID;

/** One tool of a server, as it was when the catalog was read. */
final class McpTool implements Tool {

  private final String tool;
  private final ToolSpec spec;
  private final UUID server;
  private final McpCalls calls;

  McpTool(String tool, ToolSpec spec, UUID server, McpCalls calls) {
    this.tool = tool;
    this.spec = spec;
    this.server = server;
    this.calls = calls;
  }

  @Override
  public ToolSpec spec() {
    return spec;
  }

  @Override
  public String call(ToolCall call) throws ToolException, InterruptedException {
    return McpResults.text(calls.call(server, tool, call.args(), call));
  }
}
