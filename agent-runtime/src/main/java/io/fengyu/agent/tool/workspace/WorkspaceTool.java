package io.fengyu.agent.tool.workspace;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolArgs;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.ToolSpec;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** What file tools share: a workspace, and failures that name no place of the server. */
abstract class WorkspaceTool implements Tool {

  private final ToolSpec spec;

  WorkspaceTool(ToolSpec spec) {
    this.spec = spec;
  }

  @Override
  public final ToolSpec spec() {
    return spec;
  }

  @Override
  public final String call(ToolCall call) throws ToolException, InterruptedException, IOException {
    var args = ToolArgs.of(call);
    var path = args.optionalText("path");
    try {
      return answer(call, args, Workspace.of(call)).toString();
    } catch (NoSuchFileException e) {
      throw new ToolException("no such file or directory: " + path);
    } catch (AccessDeniedException e) {
      throw new ToolException("not allowed by the file system: " + path);
    } catch (FileSystemException e) {
      throw new ToolException("the path cannot be used: " + path);
    }
  }

  abstract ObjectNode answer(ToolCall call, ToolArgs args, Workspace workspace)
      throws ToolException, InterruptedException, IOException;

  static ObjectNode success(String summary) {
    return JsonNodeFactory.instance.objectNode().put("success", true).put("summary", summary);
  }
}
