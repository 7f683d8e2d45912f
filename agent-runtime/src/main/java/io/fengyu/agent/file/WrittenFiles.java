package io.fengyu.agent.file;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What runs wrote and clients may fetch; the rows come with the journal. */
@ApplicationScoped
class WrittenFiles {

  // One answer for an unknown run and for somebody else's: no row at all. A run without files has
  // one row without a path.
  private static final String OF_RUN =
      """
      SELECT f.path, f.size, f.step, f.created_at
        FROM agent.run r LEFT JOIN agent.run_file f ON f.run_id = r.id
       WHERE r.id = $1 AND r.owner = $2
       ORDER BY f.step, f.path""";

  private static final String LOCATION =
      """
      SELECT f.location
        FROM agent.run r JOIN agent.run_file f ON f.run_id = r.id
       WHERE r.id = $1 AND r.owner = $2 AND f.path = $3""";

  private final Pool pg;

  WrittenFiles(Pool pg) {
    this.pg = pg;
  }

  /**
   * One file of a run, as clients see it.
   *
   * @param step index of the step that wrote it
   */
  public record Written(String path, long size, OffsetDateTime createdAt, int step) {}

  /** The files of a run of this owner; empty when there is no such run. */
  Uni<Optional<List<Written>>> of(String owner, UUID runId) {
    return pg.preparedQuery(OF_RUN)
        .execute(Tuple.of(runId, owner))
        .map(
            rows ->
                rows.size() == 0
                    ? Optional.empty()
                    : Optional.of(
                        rows.stream()
                            .filter(row -> row.getString("path") != null)
                            .map(
                                row ->
                                    new Written(
                                        row.getString("path"),
                                        row.getLong("size"),
                                        row.getOffsetDateTime("created_at"),
                                        row.getInteger("step")))
                            .toList()));
  }

  /** Where a listed file lies; empty when it is not listed for a run of this owner. */
  Uni<Optional<String>> location(String owner, UUID runId, String path) {
    return pg.preparedQuery(LOCATION)
        .execute(Tuple.of(runId, owner, path))
        .map(rows -> rows.stream().findFirst().map(row -> row.getString("location")));
  }
}
