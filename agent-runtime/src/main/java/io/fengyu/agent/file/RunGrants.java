package io.fengyu.agent.file;

import io.fengyu.agent.file.FileRef.Access;
import io.fengyu.agent.file.FileRef.Kind;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.UUID;

/** What runs may touch, by name and provider. */
@ApplicationScoped
class RunGrants {

  // All entries of a request or none: one statement.
  private static final String ADD =
      """
      INSERT INTO agent.run_grant (run_id, name, plugin_id, kind, access, location)
      SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[])""";

  private static final String OF_RUN =
      """
      SELECT name, plugin_id, kind, access, location
        FROM agent.run_grant WHERE run_id = $1""";

  private static final String FORGET = "DELETE FROM agent.run_grant WHERE run_id = $1";

  private final Pool pg;

  RunGrants(Pool pg) {
    this.pg = pg;
  }

  /**
   * One name of a run.
   *
   * @param pluginId empty for the built-in tools
   * @param location as the layout stores it
   */
  record RunGrant(String name, String pluginId, Kind kind, Access access, String location) {

    static RunGrant of(Row row) {
      return new RunGrant(
          row.getString("name"),
          row.getString("plugin_id"),
          Kind.of(row.getString("kind")),
          Access.of(row.getString("access")),
          row.getString("location"));
    }
  }

  Uni<Void> add(UUID runId, List<RunGrant> grants) {
    return pg.preparedQuery(ADD)
        .execute(
            Tuple.of(
                runId,
                grants.stream().map(RunGrant::name).toArray(String[]::new),
                grants.stream().map(RunGrant::pluginId).toArray(String[]::new),
                grants.stream().map(grant -> grant.kind().wire()).toArray(String[]::new),
                grants.stream().map(grant -> grant.access().wire()).toArray(String[]::new),
                grants.stream().map(RunGrant::location).toArray(String[]::new)))
        .replaceWithVoid();
  }

  Uni<List<RunGrant>> of(UUID runId) {
    return pg.preparedQuery(OF_RUN)
        .execute(Tuple.of(runId))
        .map(rows -> rows.stream().map(RunGrant::of).toList());
  }

  Uni<Void> forget(UUID runId) {
    return pg.preparedQuery(FORGET).execute(Tuple.of(runId)).replaceWithVoid();
  }
}
