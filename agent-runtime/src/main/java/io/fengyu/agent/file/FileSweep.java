package io.fengyu.agent.file;

import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/** Removes, a little at a time, what nobody can use any more. */
@ApplicationScoped
class FileSweep {

  private static final Logger LOG = Logger.getLogger(FileSweep.class);
  private static final long EVERY_MS = 60_000;
  private static final int AT_ONCE = 500;
  private static final Duration UPLOAD_GRACE = Duration.ofHours(1);
  private static final Duration FILES_LIFE = Duration.ofDays(7);

  private static final String END_REFERENCES =
      """
      DELETE FROM agent.file_grant
       WHERE id IN (SELECT g.id FROM agent.file_grant g
                     WHERE g.expires_at < now()
                        OR NOT EXISTS (SELECT 1 FROM platform.instances i
                                        WHERE i.id = g.instance
                                          AND i.heartbeat_at > now() - interval '1 minute')
                     LIMIT $1)""";

  // Ten minutes after its run; or when the run never came to be.
  private static final String END_RUN_GRANTS =
      """
      DELETE FROM agent.run_grant g
       WHERE EXISTS (SELECT 1 FROM agent.run r
                      WHERE r.id = g.run_id
                        AND r.completed_at < now() - interval '10 minutes')
          OR (g.created_at < now() - interval '1 hour'
              AND NOT EXISTS (SELECT 1 FROM agent.run r WHERE r.id = g.run_id))""";

  // Both ends of the probe are indexed by location; uploads lie in a directory of their own.
  private static final String STILL_USED =
      """
      SELECT folder FROM unnest($1::text[]) AS folder
       WHERE EXISTS (SELECT 1 FROM agent.file_grant
                      WHERE location >= folder || '/' AND location < folder || '0')
          OR EXISTS (SELECT 1 FROM agent.run_grant
                      WHERE location >= folder || '/' AND location < folder || '0')""";

  // Later runs may still work in the folders of an earlier one (run_at_home).
  private static final String RUNS_OVER =
      """
      SELECT known.id FROM unnest($1::uuid[]) AS known (id)
       WHERE NOT EXISTS (SELECT 1 FROM agent.run r
                          WHERE (r.id = known.id OR r.home = known.id)
                            AND (r.completed_at IS NULL
                                 OR r.completed_at > now() - interval '7 days'))""";

  private static final String FORGET_FILES =
      """
      DELETE FROM agent.run_file
       WHERE run_id = ANY ($1)
          OR run_id IN (SELECT id FROM agent.run WHERE home = ANY ($1))""";

  private final Pool pg;
  private final Layout layout;
  private final DiskWork disk;
  private final Clock clock;
  private final Vertx vertx;

  FileSweep(Pool pg, Layout layout, DiskWork disk, Clock clock, Vertx vertx) {
    this.pg = pg;
    this.layout = layout;
    this.disk = disk;
    this.clock = clock;
    this.vertx = vertx;
  }

  void start(@Observes StartupEvent event) {
    vertx.setPeriodic(EVERY_MS, timer -> sweep().subscribe().with(done -> {}, this::failed));
  }

  /** One round; several replicas may make theirs at the same time. */
  Uni<Void> sweep() {
    return pg.preparedQuery(END_REFERENCES)
        .execute(Tuple.of(AT_ONCE))
        .chain(() -> pg.query(END_RUN_GRANTS).execute())
        .chain(this::removeUploads)
        .chain(this::removeRuns);
  }

  private void failed(Throwable failure) {
    LOG.warn("Sweeping files failed; the next round tries again", failure);
  }

  private Uni<Void> removeUploads() {
    return disk.call(() -> older(layout.uploads(), UPLOAD_GRACE))
        .chain(folders -> folders.isEmpty() ? Uni.createFrom().voidItem() : removeUnused(folders));
  }

  private Uni<Void> removeUnused(List<Path> folders) {
    var stored = folders.stream().map(layout::store).toArray(String[]::new);
    return pg.preparedQuery(STILL_USED)
        .execute(Tuple.of(stored))
        .map(rows -> texts(rows))
        .chain(
            used ->
                deleteAll(
                    folders.stream().filter(one -> !used.contains(layout.store(one))).toList()));
  }

  private Uni<Void> removeRuns() {
    return disk.call(() -> older(layout.runs(), FILES_LIFE))
        .chain(
            folders -> {
              var ids = folders.stream().map(FileSweep::id).toArray(UUID[]::new);
              return ids.length == 0 ? Uni.createFrom().voidItem() : removeOver(ids);
            });
  }

  private Uni<Void> removeOver(UUID[] ids) {
    return pg.preparedQuery(RUNS_OVER)
        .execute(Tuple.of(ids))
        .map(rows -> rows.stream().map(row -> row.getUUID("id")).toList())
        .chain(
            over ->
                deleteAll(over.stream().map(layout::run).toList())
                    .chain(
                        () ->
                            pg.preparedQuery(FORGET_FILES)
                                .execute(Tuple.of(over.toArray(UUID[]::new))))
                    .replaceWithVoid());
  }

  private Uni<Void> deleteAll(List<Path> folders) {
    return Multi.createFrom()
        .iterable(folders)
        .onItem()
        .transformToUniAndConcatenate(folder -> disk.run(() -> Trees.delete(folder)))
        .collect()
        .last()
        .replaceWithVoid();
  }

  private List<Path> older(Path parent, Duration age) throws IOException {
    var old = new ArrayList<Path>();
    if (!Files.isDirectory(parent)) {
      return old;
    }
    Instant before = clock.instant().minus(age);
    try (var folders = Files.newDirectoryStream(parent)) {
      for (var folder : folders) {
        if (old.size() < AT_ONCE && changedBefore(folder, before) && isId(folder)) {
          old.add(folder);
        }
      }
    }
    return old;
  }

  private static boolean changedBefore(Path folder, Instant moment) throws IOException {
    return Files.getLastModifiedTime(folder).toInstant().isBefore(moment);
  }

  private static boolean isId(Path folder) {
    return folder.getFileName().toString().matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  }

  private static UUID id(Path folder) {
    return UUID.fromString(folder.getFileName().toString());
  }

  private static Set<String> texts(RowSet<Row> rows) {
    return rows.stream().map(row -> row.getString(0)).collect(Collectors.toSet());
  }
}
