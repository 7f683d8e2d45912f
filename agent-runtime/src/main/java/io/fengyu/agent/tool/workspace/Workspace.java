package io.fengyu.agent.tool.workspace;

import io.fengyu.agent.tool.Reach;
import io.fengyu.agent.tool.SecureTree;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.UUID;

/** The directory that file tools see as the root of everything. */
final class Workspace {

  private static final int DEEPEST = 64;

  private final Path root;
  private final ToolCall call;

  private Workspace(ToolCall call) throws IOException {
    this.call = call;
    root = Files.createDirectories(call.workspace()).toRealPath();
  }

  static Workspace of(ToolCall call) throws IOException {
    return new Workspace(call);
  }

  Path root() {
    return root;
  }

  /** Opens a file; an absolute path is one that was granted to the run. */
  SeekableByteChannel open(String named) throws IOException, ToolException {
    if (isAbsolute(named)) {
      return Reach.of(call).open(named);
    }
    return SecureTree.at(root).read(existing(named));
  }

  /** A name below the root with all links on the way resolved; it must exist. */
  Path existing(String named) throws IOException, ToolException {
    return within(root.resolve(relative(named)).toRealPath(), named);
  }

  /** A directory below the root; the root itself for no name. */
  Path directory(String named) throws IOException, ToolException {
    var directory = named.isEmpty() ? root : root.resolve(existing(named));
    if (!Files.isDirectory(directory)) {
      throw new ToolException("not a directory: " + named);
    }
    return directory;
  }

  /** Where a file is or will be; its directory exists, or is made when asked for. */
  Path target(String named, boolean makeDirectories) throws IOException, ToolException {
    var path = relative(named);
    var reached = root;
    for (int i = 0; i < path.getNameCount() - 1; i++) {
      reached = step(reached.resolve(path.getName(i)), named, makeDirectories);
    }
    var file = reached.resolve(path.getFileName());
    if (Files.isSymbolicLink(file)) {
      return existing(named);
    }
    return root.relativize(file);
  }

  /** Puts a whole file in place at once. */
  void replace(Path target, byte[] content) throws IOException, ToolException {
    SecureTree.at(root)
        .in(
            target,
            (directory, name) -> {
              replace(directory, name, content);
              return true;
            });
  }

  boolean isFile(Path target) throws IOException, ToolException {
    try {
      return SecureTree.at(root)
          .in(
              target,
              (directory, name) -> {
                if (!SecureTree.attributes(directory, name).isRegularFile()) {
                  throw new ToolException("not a regular file: " + target);
                }
                return true;
              });
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static void replace(SecureDirectoryStream<Path> directory, Path name, byte[] content)
      throws IOException {
    var hidden = Path.of(".fengyu-" + UUID.randomUUID() + ".tmp");
    Set<OpenOption> options =
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    try {
      try (var out = directory.newByteChannel(hidden, options)) {
        for (var bytes = ByteBuffer.wrap(content); bytes.hasRemaining(); ) {
          out.write(bytes);
        }
      }
      directory.move(hidden, directory, name);
    } catch (IOException e) {
      deleteQuietly(directory, hidden, e);
      throw e;
    }
  }

  private static void deleteQuietly(
      SecureDirectoryStream<Path> directory, Path hidden, IOException why) {
    try {
      directory.deleteFile(hidden);
    } catch (NoSuchFileException neverMade) {
      // Nothing to take away.
    } catch (IOException e) {
      why.addSuppressed(e);
    }
  }

  private Path step(Path directory, String named, boolean make) throws IOException, ToolException {
    if (make && !Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectory(directory);
    }
    var real = directory.toRealPath();
    within(real, named);
    return real;
  }

  private Path within(Path real, String named) throws ToolException {
    if (!real.startsWith(root)) {
      throw new ToolException("path is outside of the workspace: " + named);
    }
    return root.relativize(real);
  }

  private static boolean isAbsolute(String named) throws ToolException {
    return path(named).isAbsolute();
  }

  private static Path relative(String named) throws ToolException {
    var path = path(named);
    if (path.isAbsolute()) {
      throw new ToolException("path is outside of the workspace: " + named);
    }
    for (var part : path) {
      if (part.toString().equals("..")) {
        throw new ToolException("a path must not hold '..': " + named);
      }
    }
    if (path.getNameCount() > DEEPEST) {
      throw new ToolException("the path is too deep");
    }
    return path.normalize();
  }

  private static Path path(String named) throws ToolException {
    try {
      return Path.of(named);
    } catch (InvalidPathException e) {
      throw new ToolException("not a path: " + named.replaceAll("\\p{Cntrl}", "?"));
    }
  }
}
