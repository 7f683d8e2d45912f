package io.fengyu.agent.plugin.market;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fengyu.agent.plugin.PluginProblems;
import io.fengyu.agent.plugin.archive.ManifestReader;
import io.fengyu.contract.problem.ProblemException;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Packages in the database, so that every replica has them. Whoever changes something says so to
 * all replicas in the same transaction.
 */
@ApplicationScoped
class PluginStore {

  private static final Logger LOG = Logger.getLogger(PluginStore.class);

  /** Announces that something about the installed packages changed. */
  static final String CHANNEL = "fengyu_plugins";

  /** Packages of one installation. */
  static final int MOST = 100;

  // A package is asked for in pieces: a row is never larger.
  static final int PIECE = 1 << 20;

  // At most MOST rows.
  private static final String ALL =
      """
      SELECT id, digest, size, manifest, hooks, enabled,
             trusted_digest IS NOT DISTINCT FROM digest AS trusted, installed_at, updated_at
        FROM agent.plugin
       ORDER BY installed_at, id""";

  // Two installations at once are one after the other: both wait for this lock.
  private static final String LOCK = "LOCK TABLE agent.plugin IN SHARE ROW EXCLUSIVE MODE";

  private static final String COUNT_OTHERS =
      "SELECT count(*)::int AS others FROM agent.plugin WHERE id <> $1";

  // A new version keeps what was switched off switched off. The trust in its hooks belongs to the
  // bytes that were trusted, so it ends by itself.
  private static final String SAVE =
      """
      INSERT INTO agent.plugin AS p (id, digest, size, manifest, hooks)
      VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (id) DO UPDATE
         SET digest = $2, size = $3, manifest = $4, hooks = $5, updated_at = now()""";

  private static final String SAVE_PIECE =
      """
      INSERT INTO agent.plugin_piece (digest, seq, bytes) VALUES ($1, $2, $3)
      ON CONFLICT (digest, seq) DO NOTHING""";

  private static final String DROP_UNUSED =
      """
      DELETE FROM agent.plugin_piece
       WHERE digest NOT IN (SELECT digest FROM agent.plugin)""";

  private static final String NOTIFY = "SELECT pg_notify('fengyu_plugins', '')";

  private static final String ENABLE =
      """
      WITH changed AS (
        UPDATE agent.plugin SET enabled = $2, updated_at = now() WHERE id = $1 RETURNING 1)
      SELECT pg_notify('fengyu_plugins', '') FROM changed""";

  private static final String TRUST =
      """
      WITH changed AS (
        UPDATE agent.plugin
           SET trusted_digest = CASE WHEN $2 THEN digest END
         WHERE id = $1 AND digest = $3
        RETURNING 1)
      SELECT pg_notify('fengyu_plugins', '') FROM changed""";

  private static final String DELETE = "DELETE FROM agent.plugin WHERE id = $1";

  // The primary key.
  private static final String FIND_PIECE =
      "SELECT bytes FROM agent.plugin_piece WHERE digest = $1 AND seq = $2";

  private final Pool pg;
  private final ObjectMapper json;

  PluginStore(Pool pg, ObjectMapper json) {
    this.pg = pg;
    this.json = json;
  }

  /**
   * A package to install.
   *
   * @param manifest as it was written
   */
  record Added(String id, String digest, long size, String manifest, @Nullable String hooks) {

    int pieces() {
      return (int) ((size + PIECE - 1) / PIECE);
    }
  }

  Uni<List<Installed>> all() {
    return pg.query(ALL)
        .execute()
        .map(rows -> rows.stream().map(this::readable).flatMap(Optional::stream).toList());
  }

  // One that can't be read does not take the others with it.
  private Optional<Installed> readable(Row row) {
    try {
      return Optional.of(installed(row));
    } catch (ProblemException unreadable) {
      LOG.errorf("The stored manifest of %s can't be read", row.getString("id"));
      return Optional.empty();
    }
  }

  private Installed installed(Row row) {
    try {
      return new Installed(
          ManifestReader.readAgain(json.readTree(row.getString("manifest"))),
          row.getString("digest"),
          row.getLong("size"),
          row.getString("hooks"),
          row.getBoolean("enabled"),
          row.getBoolean("trusted"),
          row.getOffsetDateTime("installed_at").withOffsetSameInstant(ZoneOffset.UTC).toInstant(),
          row.getOffsetDateTime("updated_at").withOffsetSameInstant(ZoneOffset.UTC).toInstant());
    } catch (JsonProcessingException noJson) {
      throw new IllegalStateException("the stored manifest is no JSON", noJson);
    }
  }

  /** Installs a package, or puts it in the place of another version. */
  Uni<Void> install(Added added, IntFunction<byte[]> piece) {
    return pg.withTransaction(
        connection ->
            connection
                .query(LOCK)
                .execute()
                .chain(() -> checkRoom(connection, added.id()))
                .chain(
                    () ->
                        connection
                            .preparedQuery(SAVE)
                            .execute(
                                Tuple.of(
                                    added.id(),
                                    added.digest(),
                                    added.size(),
                                    added.manifest(),
                                    added.hooks())))
                .chain(() -> savePieces(connection, added, piece))
                .chain(() -> connection.query(DROP_UNUSED).execute())
                .chain(() -> connection.query(NOTIFY).execute())
                .replaceWithVoid());
  }

  private static Uni<Void> checkRoom(SqlConnection connection, String id) {
    return connection
        .preparedQuery(COUNT_OTHERS)
        .execute(Tuple.of(id))
        .invoke(
            rows -> {
              if (rows.iterator().next().getInteger("others") >= MOST) {
                throw PluginProblems.tooMany(MOST);
              }
            })
        .replaceWithVoid();
  }

  private static Uni<Void> savePieces(
      SqlConnection connection, Added added, IntFunction<byte[]> piece) {
    return Multi.createFrom()
        .range(0, added.pieces())
        .onItem()
        .transformToUniAndConcatenate(
            seq ->
                connection
                    .preparedQuery(SAVE_PIECE)
                    .execute(Tuple.of(added.digest(), seq, Buffer.buffer(piece.apply(seq)))))
        .collect()
        .last()
        .replaceWithVoid();
  }

  /** Emits false when there is no such package. */
  Uni<Boolean> enable(String id, boolean enabled) {
    return pg.preparedQuery(ENABLE).execute(Tuple.of(id, enabled)).map(rows -> rows.size() > 0);
  }

  /** Trusts the hooks of a package, or no longer; false when it is another package by now. */
  Uni<Boolean> trust(String id, boolean trusted, String digest) {
    return pg.preparedQuery(TRUST)
        .execute(Tuple.of(id, trusted, digest))
        .map(rows -> rows.size() > 0);
  }

  /** Emits false when there is no such package. */
  Uni<Boolean> delete(String id) {
    return pg.withTransaction(
        connection ->
            connection
                .query(LOCK)
                .execute()
                .chain(() -> connection.preparedQuery(DELETE).execute(Tuple.of(id)))
                .map(deleted -> deleted.rowCount() > 0)
                .call(() -> connection.query(DROP_UNUSED).execute())
                .call(() -> connection.query(NOTIFY).execute()));
  }

  /** One piece of a package; empty when it is not installed any more. */
  Uni<Optional<byte[]>> piece(String digest, int seq) {
    return pg.preparedQuery(FIND_PIECE)
        .execute(Tuple.of(digest, seq))
        .map(
            rows ->
                rows.stream()
                    .findFirst()
                    .map(row -> row.getBuffer("bytes").getDelegate().getBytes()));
  }
}
