package io.fengyu.contract.db;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.interceptor.Interceptor;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.flywaydb.core.api.FlywayException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Brings the shared schema and the service's own up to date before the service is ready. When the
 * database is away the process stays up, not ready, and tries again.
 */
@ApplicationScoped
public class Migrations {

  private static final Logger LOG = Logger.getLogger(Migrations.class);
  private static final Duration QUERY_TIMEOUT = Duration.ofSeconds(5);

  // Catalogue only: before the first migration the role may not even look into the schema.
  private static final String HISTORY_IS_READABLE =
      """
      SELECT EXISTS (SELECT
                       FROM pg_class c
                       JOIN pg_namespace n ON n.oid = c.relnamespace
                      WHERE n.nspname = $1
                        AND c.relname = 'flyway_schema_history'
                        AND has_schema_privilege(n.oid, 'USAGE')
                        AND has_table_privilege(c.oid, 'SELECT'))""";

  private final DatabaseConfig config;
  private final Instance<Pool> pool;
  private final CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
  private volatile boolean stopping;

  Migrations(DatabaseConfig config, Instance<Pool> pool) {
    this.config = config;
    this.pool = pool;
  }

  /** True once every bundled migration is applied; then it stays so. */
  public boolean complete() {
    return done.isDone();
  }

  /** Runs {@code task} when the tables are there: at once, or after the migration. */
  public void whenComplete(Runnable task) {
    var unused = done.thenRun(task);
  }

  void start(@Observes @Priority(Interceptor.Priority.PLATFORM_BEFORE) StartupEvent started) {
    if (!config.enabled()) {
      return;
    }
    if (!attempt()) {
      Thread.ofVirtual().name("migrations").start(this::keepTrying);
    }
  }

  void stop(@Observes ShutdownEvent stopped) {
    stopping = true;
  }

  private void keepTrying() {
    try {
      do {
        Thread.sleep(config.retryAfter());
      } while (!stopping && !attempt());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean attempt() {
    try {
      for (var bundled : bundled()) {
        bringUpToDate(bundled);
      }
      done.complete(null);
      return true;
    } catch (SQLException | RuntimeException failed) {
      LOG.warnf("Not ready, database is not usable yet: %s", reason(failed));
      return false;
    }
  }

  private List<BundledMigrations> bundled() {
    return List.of(
        new BundledMigrations("platform", "db/platform"),
        new BundledMigrations(
            config.schema().orElseThrow(() -> new IllegalStateException("fengyu.database.schema")),
            "db/migration"));
  }

  private void bringUpToDate(BundledMigrations bundled) throws SQLException {
    var missing = new HashSet<>(bundled.versions());
    missing.removeAll(applied(bundled.schema()));
    if (missing.isEmpty()) {
      return;
    }
    if (!config.migrate()) {
      throw new IllegalStateException(
          "Schema " + bundled.schema() + " lacks versions " + missing + " and DB_MIGRATE is false");
    }
    LOG.infof("Migrating schema %s", bundled.schema());
    new SchemaMigrator(config).migrate(bundled);
  }

  private Set<String> applied(String schema) {
    var client = pool.get();
    return client
        .preparedQuery(HISTORY_IS_READABLE)
        .execute(Tuple.of(schema))
        .map(rows -> rows.iterator().next().getBoolean(0))
        .chain(readable -> readable ? versions(client, schema) : none())
        .await()
        .atMost(QUERY_TIMEOUT);
  }

  private static Uni<Set<String>> none() {
    return Uni.createFrom().item(Set.of());
  }

  // The schema is a constant of the program's configuration, never a caller's.
  private static Uni<Set<String>> versions(Pool client, String schema) {
    return client
        .query(
            "SELECT version FROM \"%s\".flyway_schema_history WHERE success AND version IS NOT NULL"
                .formatted(schema))
        .execute()
        .map(Migrations::versions);
  }

  private static Set<String> versions(Iterable<Row> rows) {
    var versions = new HashSet<String>();
    rows.forEach(row -> versions.add(row.getString(0)));
    return versions;
  }

  private static String reason(Exception failed) {
    var message = failed.getMessage();
    return failed instanceof FlywayException || failed instanceof IllegalStateException
        ? String.valueOf(message)
        : failed.getClass().getSimpleName() + ": " + message;
  }
}
