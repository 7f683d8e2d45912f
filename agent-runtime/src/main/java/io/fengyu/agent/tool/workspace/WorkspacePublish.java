package io.fengyu.agent.tool.workspace;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Declaration;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.SafeName;
import io.fengyu.agent.tool.ToolArgs;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.workspace.Areas.Area;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Turns work in progress into a result that stays. */
@Singleton
class WorkspacePublish extends WorkspaceTool {

  WorkspacePublish() {
    super(
        Declaration.of(
                "workspace_publish",
                "Copies a file of the ephemeral area to the derived area as a new version of that"
                    + " name; earlier versions stay as they are. People can download it.")
            .effect(Effect.WRITE)
            .resources(List.of("file:{path}"), List.of("workspace"))
            .label("Publish file")
            .in(
                Field.required("path", "string", "Path inside of the ephemeral area."),
                Field.required("name", "string", "What it is called: a file name, no path."))
            .out(
                Field.required("name", "string", "What it is called."),
                Field.required("version", "integer", "1 for the first of that name."),
                Field.required("path", "string", "Path inside of the derived area."),
                Field.required("size", "integer", "Bytes."),
                Field.required("sha256", "string", "Digest of the content."))
            .spec());
  }

  @Override
  ObjectNode answer(ToolCall call, ToolArgs args, Workspace workspace)
      throws ToolException, IOException {
    var named = args.text("path");
    var name = name(args.text("name"));
    if (Path.of(named).isAbsolute()) {
      throw new ToolException("path is outside of the workspace: " + named);
    }
    var derived = Areas.of(call).of(Area.DERIVED);
    var version = Versions.in(derived).add(name, workspace.open(named));
    call.wrote().accept(version.file());
    var path = derived.relativize(version.file()).toString().replace('\\', '/');
    return success("Published " + name + ", version " + version.number() + ".")
        .put("area", Area.DERIVED.wire())
        .put("name", name)
        .put("version", version.number())
        .put("path", path)
        .put("size", version.size())
        .put("sha256", version.sha256());
  }

  private static String name(String wanted) throws ToolException {
    var safe = SafeName.of(wanted);
    if (!safe.equals(wanted)) {
      throw new ToolException("argument 'name' must be a plain file name, such as " + safe);
    }
    return safe;
  }
}
