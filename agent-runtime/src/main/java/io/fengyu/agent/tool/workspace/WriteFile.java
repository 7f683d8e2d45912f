package io.fengyu.agent.tool.workspace;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Declaration;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.ToolArgs;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.List;

/** Writes a whole text file. */
@Singleton
class WriteFile extends WorkspaceTool {

  WriteFile() {
    super(
        Declaration.of(
                "write_file",
                "Writes a text file of the workspace. A file that exists must have been read"
                    + " before, and not changed since.")
            .effect(Effect.WRITE)
            .resources(List.of(), List.of("file:{path}"))
            .label("Write file")
            .in(
                Field.required("path", "string", "Path inside of the workspace."),
                Field.required("content", "string", "All of the new content."),
                Field.optional("createDirectories", "boolean", "Make missing directories."))
            .out(
                Field.required("path", "string", "The file."),
                Field.required("size", "integer", "Its bytes."))
            .spec());
  }

  @Override
  ObjectNode answer(ToolCall call, ToolArgs args, Workspace workspace)
      throws ToolException, IOException {
    var named = args.text("path");
    var content = TextFile.bytes(args.anyText("content"));
    var target = workspace.target(named, args.flag("createDirectories", false));
    var seen = SeenFiles.of(call);
    boolean exists = workspace.isFile(target);
    if (exists) {
      seen.mustKnow(target, TextFile.bytes(workspace.open(target.toString()), named));
    }
    workspace.replace(target, content);
    seen.remember(target, content);
    call.wrote().accept(workspace.root().resolve(target));
    return success((exists ? "Replaced " : "Wrote ") + named + ".")
        .put("path", named)
        .put("size", content.length);
  }
}
