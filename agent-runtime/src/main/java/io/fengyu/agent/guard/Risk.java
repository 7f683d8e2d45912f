package io.fengyu.agent.guard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.guard.shell.ShellText;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What makes a command too risky to run unseen, besides the floor. */
final class Risk {

  private Risk() {}

  /** Why; null when there is nothing. */
  static @Nullable String of(
      ShellText shell, ObjectNode args, @Nullable Path workspace, boolean confined) {
    if (!confined) {
      return "no sandbox";
    }
    if (args.path("allowNetwork").asBoolean(false)) {
      return "network access";
    }
    if (outside(args.path("workingDirectory"), workspace)) {
      return "a directory outside of the workspace";
    }
    return shell.segments().stream()
            .anyMatch(segment -> segment.writesFile() && leaves(segment.text()))
        ? "output into a file outside of the workspace"
        : null;
  }

  private static boolean outside(JsonNode directory, @Nullable Path workspace) {
    if (!directory.isTextual() || directory.textValue().isBlank()) {
      return false;
    }
    try {
      var path = Path.of(directory.textValue()).normalize();
      if (path.isAbsolute()) {
        return workspace == null || !path.startsWith(workspace.normalize());
      }
      return path.startsWith("..") || path.startsWith("~");
    } catch (InvalidPathException noPath) {
      return true;
    }
  }

  // Wherever an absolute path, a home or the way up follows the arrow.
  private static boolean leaves(String text) {
    return LEAVES.matcher(text).find();
  }

  private static final java.util.regex.Pattern LEAVES =
      java.util.regex.Pattern.compile(
          "[>&][|&]?\\s*[\"']?(?!/dev/(?:null|stdout|stderr|tty)\\b)(?:/|~|\\$|\\.\\.|\\S*/\\.\\.)");
}
