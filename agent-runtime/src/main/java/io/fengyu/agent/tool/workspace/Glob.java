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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Finds files by name. */
@Singleton
class Glob extends WorkspaceTool {

  private static final int MOST_RESULTS = 2_000;
  private static final int USUAL_RESULTS = 200;

  Glob() {
    super(
        Declaration.of(
                "glob",
                "Finds files of the workspace by a pattern such as **/*.csv; * and ? stay within a"
                    + " name, ** goes over directories.")
            .effect(Effect.READ)
            .resources(List.of("file"), List.of())
            .label("Find files")
            .in(
                Field.required("pattern", "string", "Pattern for paths below 'path'."),
                Field.optional("path", "string", "Directory to look in; all of the workspace."),
                Field.optional("maxResults", "integer", "How many at most.")
                    .between(1, MOST_RESULTS)
                    .byDefault(IntNode.valueOf(USUAL_RESULTS)))
            .out(
                Field.required("files", "array", "Paths inside of the workspace.").ofType("string"),
                Field.required("truncated", "boolean", "True when there may be more."))
            .spec());
  }

  @Override
  ObjectNode answer(ToolCall call, ToolArgs args, Workspace workspace)
      throws ToolException, InterruptedException, IOException {
    var pattern = GlobPattern.of(args.text("pattern"));
    int most = args.integer("maxResults", USUAL_RESULTS, 1, MOST_RESULTS);
    var named = args.optionalText("path");
    var directory = workspace.directory(named == null ? "" : named);
    var found = new ArrayList<String>();
    var walk = new FileWalk(call);
    walk.over(
        directory,
        file -> {
          if (pattern.matches(directory.relativize(file).toString())) {
            found.add(workspace.root().relativize(file).toString());
          }
          return found.size() <= most;
        });
    boolean truncated = walk.cut();
    var kept = new ArrayList<>(found.subList(0, Math.min(most, found.size())));
    Collections.sort(kept);
    var result = success("Found " + kept.size() + (truncated ? " or more" : "") + " file(s).");
    var files = result.putArray("files");
    kept.forEach(files::add);
    return result.put("truncated", truncated);
  }
}
