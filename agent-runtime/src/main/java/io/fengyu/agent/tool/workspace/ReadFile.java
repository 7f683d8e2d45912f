package io.fengyu.agent.tool.workspace;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Declaration;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.ToolArgs;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Reads lines of a text file. */
@Singleton
class ReadFile extends WorkspaceTool {

  private static final int MOST_LINES = 2_000;

  ReadFile() {
    super(
        Declaration.of(
                "read_file",
                "Reads a text file of the workspace, at most 2 MiB; by default its first 2000"
                    + " lines.")
            .effect(Effect.READ)
            .resources(List.of("file:{path}"), List.of())
            .label("Read file")
            .in(
                Field.required("path", "string", "Path inside of the workspace."),
                Field.optional("offset", "integer", "First line to return, from 1.")
                    .between(1, Integer.MAX_VALUE),
                Field.optional("limit", "integer", "How many lines.")
                    .between(1, MOST_LINES)
                    .byDefault(IntNode.valueOf(MOST_LINES)))
            .out(
                Field.required("content", "string", "The lines."),
                Field.required("startLine", "integer", "Number of the first one."),
                Field.required("totalLines", "integer", "Lines of the file."),
                Field.required("truncated", "boolean", "True when there are more."))
            .spec());
  }

  @Override
  ObjectNode answer(ToolCall call, ToolArgs args, Workspace workspace)
      throws ToolException, IOException {
    var named = args.text("path");
    int offset = args.integer("offset", 1, 1, Integer.MAX_VALUE);
    int limit = args.integer("limit", MOST_LINES, 1, MOST_LINES);
    var bytes = TextFile.bytes(workspace.open(named), named);
    var lines = TextFile.text(bytes, named).lines().toList();
    int from = Math.min(offset - 1, lines.size());
    int to = Math.min(lines.size(), from + limit);
    if (!Path.of(named).isAbsolute()) {
      SeenFiles.of(call).remember(workspace.existing(named), bytes);
    }
    return success("Lines " + (from + 1) + " to " + to + " of " + lines.size() + ".")
        .put("path", named)
        .put("content", String.join("\n", lines.subList(from, to)))
        .put("startLine", from + 1)
        .put("totalLines", lines.size())
        .put("truncated", to < lines.size());
  }
}
