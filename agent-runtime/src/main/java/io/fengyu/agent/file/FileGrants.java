package io.fengyu.agent.file;

import io.fengyu.agent.file.FileRef.Access;
import io.fengyu.agent.file.FileRef.Kind;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

/** The references that clients hold. */
@ApplicationScoped
class FileGrants {

  // A reference ends with the process that made it, whichever replica is asked.
  private static final String FIND =
      """
      SELECT g.id, g.plugin_id, g.name, g.kind, g.access, g.location
        FROM agent.file_grant g
       WHERE g.id = ANY ($1) AND g.owner = $2 AND g.expires_at > now()
         AND EXISTS (SELECT 1 FROM platform.instances i
                      WHERE i.id = g.instance
                        AND i.heartbeat_at > now() - interval '1 minute')""";

  private static final String REVOKE =
      """
      DELETE FROM agent.file_grant
       WHERE id = $1 AND owner = $2 AND plugin_id = $3
      RETURNING location""";

  private final Pool pg;

  FileGrants(Pool pg) {
    this.pg = pg;
  }

  /** What is behind a reference. */
  record Stored(String id, String pluginId, Kind kind, Access access, String location) {

    static Stored of(Row row) {
      return new Stored(
          row.getString("id"),
          row.getString("plugin_id"),
          Kind.of(row.getString("kind")),
          Access.of(row.getString("access")),
          row.getString("location"));
    }
  }

  /** Those of the references that this owner holds and that are still good, by id. */
  Uni<Map<String, Stored>> find(String owner, Collection<String> ids) {
    if (ids.isEmpty()) {
      return Uni.createFrom().item(Map.of());
    }
    return pg.preparedQuery(FIND)
        .execute(Tuple.of(ids.toArray(String[]::new), owner))
        .map(
            rows ->
                rows.stream().map(Stored::of).collect(Collectors.toMap(Stored::id, one -> one)));
  }

  /** Ends a reference; emits false for one that this owner does not hold for that plugin. */
  Uni<Boolean> revoke(String owner, String pluginId, String id) {
    return pg.preparedQuery(REVOKE)
        .execute(Tuple.of(id, owner, pluginId))
        .map(rows -> rows.size() == 1);
  }
}
