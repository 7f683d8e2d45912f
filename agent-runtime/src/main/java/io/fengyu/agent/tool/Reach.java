package io.fengyu.agent.tool;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The paths one call may touch by name: its workspace, its output folder, and what was granted.
 * Names are resolved with every link in them, and only then compared.
 */
public final class Reach {

  private final Path workspace;
  private final List<Path> readable;
  private final List<Path> writable;

  private Reach(ToolCall call) {
    workspace = call.workspace();
    var own = List.of(call.workspace(), call.outputDir());
    writable = join(own, call.access().writable());
    readable = join(writable, call.access().readable());
  }

  /** What the call may touch. */
  public static Reach of(ToolCall call) {
    return new Reach(call);
  }

  /** Opens a regular file for reading; a name that is not absolute is inside of the workspace. */
  public SeekableByteChannel open(String named) throws ToolException, IOException {
    var real = real(path(named), named);
    for (var root : readable) {
      if (!exists(root)) {
        continue;
      }
      var realRoot = root.toRealPath();
      if (real.equals(realRoot)) {
        return SecureTree.at(parent(real)).read(real.getFileName());
      }
      if (real.startsWith(realRoot)) {
        return SecureTree.at(realRoot).read(realRoot.relativize(real));
      }
    }
    throw outside(named);
  }

  /**
   * Where something that may be read really is. What is there can change before it is opened, so
   * only {@link #open} decides what is read.
   */
  public Path located(String named) throws ToolException, IOException {
    var real = real(path(named), named);
    for (var root : readable) {
      if (exists(root) && real.startsWith(root.toRealPath())) {
        return real;
      }
    }
    throw outside(named);
  }

  /**
   * A directory to write into, made if need be; a name that is not absolute is inside of the
   * workspace.
   */
  public Path directory(String named) throws ToolException, IOException {
    var wanted = path(named);
    for (var root : writable) {
      if (wanted.startsWith(root)) {
        return made(root, wanted, named);
      }
    }
    throw outside(named);
  }

  private Path made(Path root, Path wanted, String named) throws ToolException, IOException {
    Files.createDirectories(root);
    var realRoot = root.toRealPath();
    var reached = realRoot;
    for (var name : root.relativize(wanted)) {
      if (name.toString().isEmpty()) {
        continue;
      }
      reached = step(reached.resolve(name));
      if (!reached.startsWith(realRoot)) {
        throw outside(named);
      }
    }
    return reached;
  }

  private static Path step(Path directory) throws ToolException, IOException {
    if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectory(directory);
    }
    var real = directory.toRealPath();
    if (!Files.isDirectory(real)) {
      throw new ToolException("not a directory: " + directory.getFileName());
    }
    return real;
  }

  private Path path(String named) throws ToolException {
    try {
      return workspace.resolve(named).normalize();
    } catch (InvalidPathException e) {
      throw new ToolException("not a path: " + named.replaceAll("\\p{Cntrl}", "?"));
    }
  }

  private static Path real(Path path, String named) throws ToolException, IOException {
    try {
      return path.toRealPath();
    } catch (NoSuchFileException e) {
      throw new ToolException("no such file: " + named);
    }
  }

  private static boolean exists(Path root) {
    return Files.exists(root);
  }

  private static Path parent(Path real) throws ToolException {
    var parent = real.getParent();
    if (parent == null) {
      throw new ToolException("not a file");
    }
    return parent;
  }

  private static ToolException outside(String named) {
    return new ToolException("path is outside of what this run may touch: " + named);
  }

  private static List<Path> join(List<Path> first, List<Path> second) {
    return Stream.concat(first.stream(), second.stream())
        .collect(ArrayList::new, ArrayList::add, ArrayList::addAll);
  }
}
