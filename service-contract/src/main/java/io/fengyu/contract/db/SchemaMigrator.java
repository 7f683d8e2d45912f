package io.fengyu.contract.db;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.flywaydb.core.Flyway;

/** Runs Flyway over blocking JDBC; loaded only when something is to be migrated. */
final class SchemaMigrator {

  private static final List<String> SERVICES =
      List.of("chat", "agent", "workflow", "scheduler", "webhook");

  /** Any number that no other program on this database takes. */
  private static final long GRANTS_LOCK = 0x66656e677975L;

  private final DatabaseConfig config;

  SchemaMigrator(DatabaseConfig config) {
    this.config = config;
  }

  /** Brings the schema up to date; replicas that start together do it once, one after the other. */
  void migrate(BundledMigrations bundled) throws SQLException {
    var user = config.migrateUser().orElse(config.user());
    var password = config.migratePassword().or(config::password).orElse("");
    Map<String, String> roles;
    try (var connection = DriverManager.getConnection(config.jdbcUrl(), user, password)) {
      connection.setAutoCommit(false);
      inTurn(connection);
      roles = roles(connection);
      prepare(connection, bundled.schema());
      connection.commit();
    }
    Flyway.configure(SchemaMigrator.class.getClassLoader())
        .dataSource(config.jdbcUrl(), user, password)
        .schemas(bundled.schema())
        .defaultSchema(bundled.schema())
        .createSchemas(false)
        .resourceProvider(bundled.files())
        .javaMigrationClassProvider(List::of)
        .placeholders(roles)
        .baselineOnMigrate(true)
        .baselineVersion("0")
        .connectRetries(0)
        .load()
        .migrate();
    try (var connection = DriverManager.getConnection(config.jdbcUrl(), user, password)) {
      connection.setAutoCommit(false);
      inTurn(connection);
      protectHistory(connection, bundled.schema(), roles);
      connection.commit();
    }
  }

  // Postgres refuses two grants on one object at the same moment, and all services start at once.
  private static void inTurn(Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute("SET LOCAL lock_timeout = '60s'");
      statement.execute("SELECT pg_advisory_xact_lock(%d)".formatted(GRANTS_LOCK));
    }
  }

  // Every service reads the history at its start; only the migrating role writes it.
  private static void protectHistory(
      Connection connection, String schema, Map<String, String> roles) throws SQLException {
    var table = quoted(schema) + ".flyway_schema_history";
    var reader = roles.getOrDefault("serviceRole", "PUBLIC");
    try (var statement = connection.createStatement()) {
      statement.execute("GRANT SELECT ON %s TO %s".formatted(table, reader));
      if (!quoted(connection.getMetaData().getUserName()).equals(roles.get("runtimeRole"))) {
        statement.execute(
            "REVOKE INSERT, UPDATE, DELETE ON %s FROM %s"
                .formatted(table, roles.get("runtimeRole")));
      }
    }
  }

  // Tables that migrations create are the runtime role's to use from the first moment, and the
  // history is readable, so that the next start need not load Flyway at all.
  private void prepare(Connection connection, String schema) throws SQLException {
    var runtime = quoted(config.user());
    try (var statement = connection.createStatement()) {
      if (missing(connection, schema)) {
        statement.execute("CREATE SCHEMA IF NOT EXISTS " + quoted(schema));
      }
      statement.execute("GRANT USAGE ON SCHEMA %s TO %s".formatted(quoted(schema), runtime));
      if (schema.equals(config.schema().orElse(""))) {
        for (var grant :
            List.of("SELECT, INSERT, UPDATE, DELETE ON TABLES", "USAGE ON SEQUENCES")) {
          statement.execute(
              "ALTER DEFAULT PRIVILEGES IN SCHEMA %s GRANT %s TO %s"
                  .formatted(quoted(schema), grant, runtime));
        }
      }
    }
  }

  private static boolean missing(Connection connection, String schema) throws SQLException {
    return !exists(connection, "SELECT 1 FROM pg_namespace WHERE nspname = ?", schema);
  }

  private Map<String, String> roles(Connection connection) throws SQLException {
    var roles = new LinkedHashMap<String, String>();
    roles.put("runtimeRole", quoted(config.user()));
    roles.put("serviceRole", quoted(roleOrRuntime(connection, "fengyu_service")));
    for (var service : SERVICES) {
      roles.put(service + "Role", quoted(roleOrRuntime(connection, "fengyu_" + service)));
    }
    return roles;
  }

  private String roleOrRuntime(Connection connection, String role) throws SQLException {
    return exists(connection, "SELECT 1 FROM pg_roles WHERE rolname = ?", role)
        ? role
        : config.user();
  }

  private static boolean exists(Connection connection, String sql, String name)
      throws SQLException {
    try (var query = connection.prepareStatement(sql)) {
      query.setString(1, name);
      try (var found = query.executeQuery()) {
        return found.next();
      }
    }
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}
