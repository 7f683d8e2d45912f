package io.fengyu.agent.tool.workspace;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Declaration;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.ToolArgs;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.workspace.Areas.Area;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/** Shows what is in the workspace of a conversation. */
@Singleton
class WorkspaceList extends WorkspaceTool {

  private static final DateTimeFormatter WIRE_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  WorkspaceList() {
    super(
        Declaration.of(
                "workspace_list",
                "Lists the files of the conversation's workspace: uploaded (handed in), derived"
                    + " (published), environment (set up for commands), ephemeral (work in"
                    + " progress, where the file tools work too).")
            .effect(Effect.READ)
            .resources(List.of("file", "workspace"), List.of())
            .label("List workspace")
            .in(
                Field.optional("area", "string", "One area; all of them when left out.")
                    .oneOf("uploaded", "derived", "environment", "ephemeral"))
            .out(
                Field.required("files", "array", "The files.")
                    .of(
                        Field.required("area", "string", "Where it is."),
                        Field.required("path", "string", "Path inside of the area."),
                        Field.required("size", "integer", "Bytes."),
                        Field.required("modifiedAt", "string", "When it was written last.")),
                Field.required("truncated", "boolean", "True when there are more."))
            .spec());
  }

  @Override
  ObjectNode answer(ToolCall call, ToolArgs args, Workspace workspace)
      throws ToolException, IOException {
    var named = args.optionalText("area");
    var wanted = named == null ? List.of(Area.values()) : List.of(Areas.required(named));
    var listing = AreaFiles.of(Areas.of(call), wanted);
    var result = success(listing.files().size() + " file(s).");
    var files = result.putArray("files");
    for (var file : listing.files()) {
      files
          .addObject()
          .put("area", file.area().wire())
          .put("path", file.path())
          .put("size", file.size())
          .put("modifiedAt", WIRE_TIME.format(file.modifiedAt()));
    }
    return result.put("truncated", listing.truncated());
  }
}
