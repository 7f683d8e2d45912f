package io.fengyu.agent.tool.command;

import io.fengyu.agent.tool.ToolCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where a command runs. */
final class WorkingDirectory {

  private WorkingDirectory() {}

  /**
   * The directory of that name, with every link in it resolved; a name that is not absolute is
   * inside of the workspace. Empty when there is none, or when the call may not go there.
   *
   * @param named null for the workspace itself
   */
  static Optional<Path> of(ToolCall call, @Nullable String named) throws IOException {
    var workspace = Files.createDirectories(call.workspace()).toRealPath();
    if (named == null || named.isBlank()) {
      return Optional.of(workspace);
    }
    try {
      var real = workspace.resolve(named).toRealPath();
      return Files.isDirectory(real) && allowed(call, real) ? Optional.of(real) : Optional.empty();
    } catch (InvalidPathException | IOException none) {
      return Optional.empty();
    }
  }

  private static boolean allowed(ToolCall call, Path real) throws IOException {
    if (call.unconfined()) {
      return true;
    }
    var access = call.access();
    var places =
        Stream.of(
                Stream.of(call.workspace()), access.readable().stream(), access.writable().stream())
            .flatMap(all -> all)
            .filter(Files::exists)
            .toList();
    for (var place : places) {
      if (real.startsWith(place.toRealPath())) {
        return true;
      }
    }
    return false;
  }
}
