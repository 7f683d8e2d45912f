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

/** Replaces a piece of a text file. */
@Singleton
class EditFile extends WorkspaceTool {

  EditFile() {
    super(
        Declaration.of(
                "edit_file",
                "Replaces a text that stands exactly once in a file of the workspace, or with"
                    + " replaceAll every time. The file must have been read before, and not"
                    + " changed since.")
            .effect(Effect.WRITE)
            .resources(List.of("file:{path}"), List.of("file:{path}"))
            .label("Edit file")
            .in(
                Field.required("path", "string", "Path inside of the workspace."),
                Field.required("oldString", "string", "The text to replace."),
                Field.required("newString", "string", "What takes its place."),
                Field.optional("replaceAll", "boolean", "Replace it wherever it stands."))
            .out(
                Field.required("path", "string", "The file."),
                Field.required("replacements", "integer", "How often it was replaced."))
            .spec());
  }

  @Override
  ObjectNode answer(ToolCall call, ToolArgs args, Workspace workspace)
      throws ToolException, IOException {
    var named = args.text("path");
    var target = workspace.existing(named);
    var before = TextFile.bytes(workspace.open(target.toString()), named);
    var seen = SeenFiles.of(call);
    seen.mustKnow(target, before);
    var text = TextFile.text(before, named);
    var old = args.anyText("oldString");
    var replacement = args.anyText("newString");
    int found = count(text, old, named, args.flag("replaceAll", false));
    long length = text.length() + (long) found * (replacement.length() - old.length());
    if (length > TextFile.LARGEST) {
      throw new ToolException("the content would be larger than 2 MiB");
    }
    var after = TextFile.bytes(text.replace(old, replacement));
    workspace.replace(target, after);
    seen.remember(target, after);
    call.wrote().accept(workspace.root().resolve(target));
    return success("Replaced " + found + " time(s) in " + named + ".")
        .put("path", named)
        .put("replacements", found);
  }

  private static int count(String text, String old, String named, boolean all)
      throws ToolException {
    if (old.isEmpty()) {
      throw new ToolException("argument 'oldString' is empty");
    }
    int found = 0;
    for (int at = text.indexOf(old); at >= 0; at = text.indexOf(old, at + old.length())) {
      found++;
    }
    if (found == 0) {
      throw new ToolException("oldString does not stand in " + named);
    }
    if (found > 1 && !all) {
      throw new ToolException(
          "oldString stands "
              + found
              + " times in "
              + named
              + "; make it longer or use replaceAll");
    }
    return found;
  }
}
