package io.fengyu.agent.file;

import io.fengyu.agent.tool.workspace.AreaFiles;
import io.fengyu.agent.tool.workspace.AreaFiles.Listing;
import io.fengyu.agent.tool.workspace.Areas;
import io.fengyu.agent.tool.workspace.Areas.Area;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The workspace of a conversation, for its owner; that of nobody is empty. */
@ApplicationScoped
class SessionFiles {

  private static final UUID NO_RUN = new UUID(0, 0);

  private final Layout layout;
  private final DiskWork disk;

  SessionFiles(Layout layout, DiskWork disk) {
    this.layout = layout;
    this.disk = disk;
  }

  /**
   * What there is.
   *
   * @param named one area; null for all of them
   */
  Uni<Listing> list(String owner, String sessionId, @Nullable String named) {
    var wanted = named == null ? List.of(Area.values()) : List.of(area(named));
    return disk.call(() -> AreaFiles.of(areas(owner, sessionId), wanted));
  }

  /** Where a file of an area lies. */
  Uni<Path> find(String owner, String sessionId, String named, String path) {
    var root = areas(owner, sessionId).of(area(named));
    return disk.call(() -> present(root, path))
        .map(file -> file.orElseThrow(FileProblems::noWorkspaceFile));
  }

  private Areas areas(String owner, String sessionId) {
    return Areas.around(layout.workspace(owner, NO_RUN, sessionId));
  }

  private static Area area(String named) {
    return Area.named(named).orElseThrow(() -> FileProblems.noArea(named));
  }

  // What is a link is not shown, and not followed out of the area.
  private static Optional<Path> present(Path root, String path) {
    try {
      var area = root.toRealPath();
      var file = area.resolve(path);
      var real = file.toRealPath();
      return real.startsWith(area)
              && real.equals(file)
              && Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS)
          ? Optional.of(real)
          : Optional.empty();
    } catch (IOException | InvalidPathException none) {
      return Optional.empty();
    }
  }
}
