package io.fengyu.agent.tool.workspace;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
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
import org.jspecify.annotations.Nullable;

/** Finds lines of text files; patterns are matched in linear time. */
@Singleton
class Grep extends WorkspaceTool {

  private static final int MOST_RESULTS = 500;
  private static final int USUAL_RESULTS = 100;
  private static final int LONGEST_PATTERN = 1_000;
  private static final int LONGEST_LINE = 500;

  Grep() {
    super(
        Declaration.of(
                "grep",
                "Finds the lines of text files in the workspace that match a regular expression"
                    + " (RE2 syntax: no look-around, no back references). Files over 2 MiB and"
                    + " files that are no text are left out.")
            .effect(Effect.READ)
            .resources(List.of("file"), List.of())
            .label("Search in files")
            .in(
                Field.required("pattern", "string", "Regular expression, searched in each line."),
                Field.optional("glob", "string", "Only files that match, such as *.md."),
                Field.optional("path", "string", "File or directory to look in."),
                Field.optional("maxResults", "integer", "How many lines at most.")
                    .between(1, MOST_RESULTS)
                    .byDefault(IntNode.valueOf(USUAL_RESULTS)))
            .out(
                Field.required("matches", "array", "The lines found.")
                    .of(
                        Field.required("path", "string", "The file."),
                        Field.required("line", "integer", "Number of the line, from 1."),
                        Field.required("text", "string", "The line, at most 500 characters.")),
                Field.required("truncated", "boolean", "True when there may be more."))
            .spec());
  }

  @Override
  ObjectNode answer(ToolCall call, ToolArgs args, Workspace workspace)
      throws ToolException, InterruptedException, IOException {
    var glob = args.optionalText("glob");
    var named = args.optionalText("path");
    var result = success("");
    var search =
        new Search(
            workspace,
            pattern(args.text("pattern")),
            glob == null ? null : GlobPattern.of(glob),
            args.integer("maxResults", USUAL_RESULTS, 1, MOST_RESULTS),
            result.putArray("matches"));
    var walk = new FileWalk(call);
    var start =
        named == null ? workspace.root() : workspace.root().resolve(workspace.existing(named));
    walk.over(start, search::file);
    int found = search.matches.size();
    return result
        .put("summary", "Found " + found + (walk.cut() ? " or more" : "") + " line(s).")
        .put("truncated", walk.cut());
  }

  private static Pattern pattern(String text) throws ToolException {
    if (text.length() > LONGEST_PATTERN) {
      throw new ToolException("the pattern is longer than " + LONGEST_PATTERN + " characters");
    }
    try {
      return Pattern.compile(text);
    } catch (PatternSyntaxException e) {
      throw new ToolException("not a regular expression: " + e.getMessage());
    }
  }

  private record Search(
      Workspace workspace,
      Pattern pattern,
      @Nullable GlobPattern glob,
      int most,
      ArrayNode matches) {

    boolean file(Path file) throws IOException {
      var path = workspace.root().relativize(file).toString();
      if (glob != null && !glob.matches(path)) {
        return true;
      }
      try {
        var bytes = TextFile.bytes(workspace.open(path), path);
        return lines(path, TextFile.text(bytes, path));
      } catch (ToolException noText) {
        return true;
      }
    }

    private boolean lines(String path, String text) {
      int number = 0;
      for (var lines = text.lines().iterator(); lines.hasNext(); ) {
        var line = lines.next();
        number++;
        if (pattern.matcher(line).find()) {
          if (matches.size() == most) {
            return false;
          }
          var match = matches.addObject().put("path", path).put("line", number);
          match.put("text", line.length() > LONGEST_LINE ? line.substring(0, LONGEST_LINE) : line);
        }
      }
      return true;
    }
  }
}
