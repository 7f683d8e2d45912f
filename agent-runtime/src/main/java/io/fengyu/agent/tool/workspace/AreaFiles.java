package io.fengyu.agent.tool.workspace;

import io.fengyu.agent.tool.workspace.Areas.Area;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files of areas, as people and models see them; names that begin with a dot are not shown. */
public final class AreaFiles {

  private static final int MOST = 1_000;
  private static final int MOST_SEEN = 20_000;
  private static final int DEEPEST = 32;

  private AreaFiles() {}

  /**
   * One file.
   *
   * @param path inside of its area, with slashes
   */
  public record AreaFile(Area area, String path, long size, Instant modifiedAt) {}

  /**
   * What there is.
   *
   * @param truncated true when there is more
   */
  public record Listing(List<AreaFile> files, boolean truncated) {}

  /** Blocks while it looks. */
  public static Listing of(Areas areas, List<Area> wanted) throws IOException {
    var all = new ArrayList<AreaFile>();
    boolean more = false;
    for (var area : wanted) {
      var walk = new Walk(area, areas.of(area), MOST - all.size());
      if (Files.isDirectory(walk.root)) {
        Files.walkFileTree(walk.root, EnumSet.noneOf(FileVisitOption.class), DEEPEST, walk);
      }
      walk.found.sort(Comparator.comparing(AreaFile::path));
      all.addAll(walk.found);
      more |= walk.more;
    }
    return new Listing(List.copyOf(all), more);
  }

  private static final class Walk extends SimpleFileVisitor<Path> {

    private final Area area;
    private final Path root;
    private final int room;
    private final List<AreaFile> found = new ArrayList<>();
    private int seen;
    private boolean more;

    Walk(Area area, Path root, int room) {
      this.area = area;
      this.root = root;
      this.room = room;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
      return hidden(directory) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (++seen > MOST_SEEN) {
        more = true;
        return FileVisitResult.TERMINATE;
      }
      if (!attributes.isRegularFile() || hidden(file)) {
        return FileVisitResult.CONTINUE;
      }
      if (found.size() == room) {
        more = true;
        return FileVisitResult.TERMINATE;
      }
      var path = root.relativize(file).toString().replace('\\', '/');
      found.add(
          new AreaFile(area, path, attributes.size(), attributes.lastModifiedTime().toInstant()));
      return FileVisitResult.CONTINUE;
    }

    private boolean hidden(Path path) {
      return !path.equals(root) && String.valueOf(path.getFileName()).startsWith(".");
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException unreadable) {
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException unreadable) {
      return FileVisitResult.CONTINUE;
    }
  }
}
