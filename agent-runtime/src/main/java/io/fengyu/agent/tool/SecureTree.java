package io.fengyu.agent.tool;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;

/**
 * Opens what lies below a directory without following any link, so that a link put there between a
 * check and its use leads nowhere: each component is opened relative to the one before.
 */
public final class SecureTree {

  private final Path root;

  private SecureTree(Path root) {
    this.root = root;
  }

  /** A tree below a real directory. */
  public static SecureTree at(Path realRoot) {
    return new SecureTree(realRoot);
  }

  /** What is done with the directory that holds a file. */
  @FunctionalInterface
  public interface InDirectory<T> {

    /** Uses the directory while it is open. */
    T use(SecureDirectoryStream<Path> directory, Path name) throws IOException, ToolException;
  }

  /** Opens a regular file. */
  public SeekableByteChannel read(Path relative) throws IOException, ToolException {
    return in(relative, SecureTree::openRegular);
  }

  /** Opens the directory of a file and hands it over with the file's name. */
  public <T> T in(Path relative, InDirectory<T> work) throws IOException, ToolException {
    try (var top = open(root)) {
      return descend(top, relative, work);
    }
  }

  /** The attributes of a name in an open directory, of the link itself if it is one. */
  public static BasicFileAttributes attributes(SecureDirectoryStream<Path> directory, Path name)
      throws IOException {
    var view =
        directory.getFileAttributeView(
            name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    if (view == null) {
      throw new NoSuchFileException(name.toString());
    }
    return view.readAttributes();
  }

  /** Opens a name in an open directory, if it is a regular file: no pipe, device or link. */
  public static SeekableByteChannel openRegular(SecureDirectoryStream<Path> directory, Path name)
      throws IOException, ToolException {
    if (!attributes(directory, name).isRegularFile()) {
      throw new ToolException("not a regular file: " + name);
    }
    Set<OpenOption> options = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    return directory.newByteChannel(name, options);
  }

  private static <T> T descend(
      SecureDirectoryStream<Path> directory, Path relative, InDirectory<T> work)
      throws IOException, ToolException {
    if (relative.getNameCount() == 1) {
      return work.use(directory, relative);
    }
    try (var next = directory.newDirectoryStream(relative.getName(0), LinkOption.NOFOLLOW_LINKS)) {
      return descend(secure(next), relative.subpath(1, relative.getNameCount()), work);
    }
  }

  @SuppressWarnings("StreamResourceLeak") // the caller closes it
  private static SecureDirectoryStream<Path> open(Path directory) throws IOException {
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      throw new NotDirectoryException(directory.toString());
    }
    return secure(Files.newDirectoryStream(directory));
  }

  private static SecureDirectoryStream<Path> secure(DirectoryStream<Path> stream)
      throws IOException {
    if (stream instanceof SecureDirectoryStream<Path> secure) {
      return secure;
    }
    stream.close();
    throw new IOException("this file system cannot be used safely");
  }
}
