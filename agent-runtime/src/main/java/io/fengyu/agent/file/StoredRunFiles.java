package io.fengyu.agent.file;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.agent.file.FileRef.Kind;
import io.fengyu.agent.file.RunGrants.RunGrant;
import io.fengyu.agent.journal.Change;
import io.fengyu.agent.tool.workspace.Areas;
import io.fengyu.agent.tool.workspace.Areas.Area;
import io.fengyu.contract.db.DatabaseAway;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Keeps the files of runs in the data directory and their names in the database. */
@ApplicationScoped
class StoredRunFiles implements RunFiles {

  // A database that was killed is back within that; the work of a step is not lost for it.
  private static final Duration PATIENCE = Duration.ofSeconds(25);

  private final Layout layout;
  private final RequestedFiles requested;
  private final RunGrants grants;
  private final DiskWork disk;

  StoredRunFiles(Layout layout, RequestedFiles requested, RunGrants grants, DiskWork disk) {
    this.layout = layout;
    this.requested = requested;
    this.grants = grants;
    this.disk = disk;
  }

  @Override
  public Uni<Void> grant(String owner, UUID runId, @Nullable JsonNode files) {
    if (files == null || files.isNull()) {
      return nothing();
    }
    return requested.resolve(owner, runId, files).chain(all -> keep(runId, all));
  }

  @Override
  public Uni<Void> forget(UUID runId) {
    return grants.forget(runId).call(() -> disk.run(() -> Trees.delete(layout.run(runId))));
  }

  @Override
  public Uni<RunPlaces> open(String owner, UUID runId, UUID home, @Nullable String sessionId) {
    var workspace = layout.workspace(owner, home, sessionId);
    return DatabaseAway.outwaited(grants.of(runId), PATIENCE)
        .call(all -> sessionId == null ? nothing() : handedIn(workspace, all))
        .map(all -> new GrantedPlaces(layout, home, workspace, all));
  }

  @Override
  public Optional<Change.Wrote> made(UUID runId, int step, Path file) {
    return layout
        .shown(file)
        .map(shown -> new Change.Wrote(step, shown, layout.store(file), size(file)));
  }

  private static Uni<Void> nothing() {
    return Uni.createFrom().voidItem();
  }

  // What a conversation was given stays in it when the grants of the run are over.
  private Uni<Void> handedIn(Path workspace, List<RunGrant> all) {
    var uploads =
        all.stream()
            .filter(grant -> grant.kind() == Kind.FILE)
            .map(grant -> layout.load(grant.location()))
            .filter(file -> file.startsWith(layout.uploads()))
            .distinct()
            .toList();
    return uploads.isEmpty()
        ? nothing()
        : disk.run(() -> HandedIn.keep(uploads, Areas.around(workspace).of(Area.UPLOADED)));
  }

  private Uni<Void> keep(UUID runId, List<RunGrant> all) {
    if (all.isEmpty()) {
      return nothing();
    }
    return disk.run(() -> makeShared(runId, all)).chain(() -> grants.add(runId, all));
  }

  private void makeShared(UUID runId, List<RunGrant> all) throws IOException {
    for (var grant : all) {
      var place = layout.load(grant.location());
      if (place.startsWith(layout.run(runId))) {
        Files.createDirectories(place);
      }
    }
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
