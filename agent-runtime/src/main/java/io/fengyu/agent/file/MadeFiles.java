package io.fengyu.agent.file;

import io.fengyu.agent.file.WrittenFiles.Written;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Finds what runs made, for their owners. */
@ApplicationScoped
class MadeFiles {

  private final WrittenFiles written;
  private final Layout layout;
  private final DiskWork disk;

  MadeFiles(WrittenFiles written, Layout layout, DiskWork disk) {
    this.written = written;
    this.layout = layout;
    this.disk = disk;
  }

  Uni<List<Written>> of(String owner, UUID runId) {
    return written.of(owner, runId).map(files -> files.orElseThrow(FileProblems::noRun));
  }

  /** Where a listed file lies. */
  Uni<Path> find(String owner, UUID runId, String path) {
    return written
        .location(owner, runId, path)
        .chain(location -> disk.call(() -> location.flatMap(this::present)))
        .map(file -> file.orElseThrow(FileProblems::noFile));
  }

  // The name was checked when the file was written; what lies there now may be something else.
  private Optional<Path> present(String location) {
    try {
      var real = layout.load(location).toRealPath();
      var ours = real.startsWith(layout.root()) && !real.startsWith(layout.uploads());
      return ours && Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS)
          ? Optional.of(real)
          : Optional.empty();
    } catch (IOException gone) {
      return Optional.empty();
    }
  }
}
