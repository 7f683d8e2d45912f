package io.fengyu.agent.file;

import io.fengyu.agent.file.FileRef.Access;
import io.fengyu.agent.file.FileRef.Kind;
import io.fengyu.agent.tool.Plugin;
import io.fengyu.contract.instance.Instances;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** The references that clients hold. */
@ApplicationScoped
class FileGrants {

  private static final String MINT =
      """
      INSERT INTO agent.file_grant
             (id, owner, plugin_id, name, kind, access, size, location, instance, expires_at)
      SELECT id, $3, plugin_id, $4, $5, $6, $7, $8, $9, now() + $10 * interval '1 ms'
        FROM unnest($1::text[], $2::text[]) AS minted (id, plugin_id)""";

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
       WHERE id = $1 AND owner = $2 AND plugin_id = $3""";

  private final Pool pg;
  private final Instances instances;
  private final FilesConfig config;

  FileGrants(Pool pg, Instances instances, FilesConfig config) {
    this.pg = pg;
    this.instances = instances;
    this.config = config;
  }

  /** What a plugin got, as clients see it. */
  public record Granted(String pluginId, FileRef ref) {}

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

  /** Makes one reference a plugin. */
  Uni<List<Granted>> mint(
      String owner,
      List<Plugin> plugins,
      String name,
      Kind kind,
      Access access,
      long size,
      String location) {
    var granted = new ArrayList<Granted>();
    for (var plugin : plugins) {
      var ref = new FileRef("ref_" + UUID.randomUUID(), name, kind, access, size);
      granted.add(new Granted(plugin.id(), ref));
    }
    var values =
        Tuple.tuple()
            .addArrayOfString(granted.stream().map(one -> one.ref().id()).toArray(String[]::new))
            .addArrayOfString(granted.stream().map(Granted::pluginId).toArray(String[]::new))
            .addString(owner)
            .addString(name)
            .addString(kind.wire())
            .addString(access.wire())
            .addLong(size)
            .addString(location)
            .addUUID(instances.id())
            .addDouble((double) config.uploadLife().toMillis());
    return pg.preparedQuery(MINT).execute(values).replaceWith(List.copyOf(granted));
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

  /** Ends a reference; fails for one that this owner does not hold for that plugin. */
  Uni<Void> revoke(String owner, String pluginId, String id) {
    return pg.preparedQuery(REVOKE)
        .execute(Tuple.of(id, owner, pluginId))
        .invoke(
            rows -> {
              if (rows.rowCount() == 0) {
                throw FileProblems.noGrant();
              }
            })
        .replaceWithVoid();
  }
}
