package io.fengyu.contract.db;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Makes an empty Postgres ready for the services: database, roles, schemas. Idempotent, blocking,
 * and the same for production, workstation and tests.
 */
public final class DatabaseBootstrap {

  /** The role that owns the schemas and runs migrations. */
  public static final String OWNER = "fengyu_owner";

  /** Every role with a password, the owner first. */
  public static final List<String> ROLES =
      List.of(
          OWNER,
          "fengyu_chat",
          "fengyu_agent",
          "fengyu_workflow",
          "fengyu_scheduler",
          "fengyu_webhook");

  private DatabaseBootstrap() {}

  /**
   * Runs as an administrator.
   *
   * @param adminUrl JDBC address of any existing database of the server, for example {@code
   *     jdbc:postgresql://localhost:5432/postgres}
   * @param database created when missing
   * @param passwords password by role name; asked once for each of {@link #ROLES}
   */
  public static void run(
      String adminUrl,
      String adminUser,
      String adminPassword,
      String database,
      UnaryOperator<String> passwords)
      throws SQLException {
    try (var connection = DriverManager.getConnection(adminUrl, adminUser, adminPassword)) {
      createDatabase(connection, database);
    }
    try (var connection =
            DriverManager.getConnection(
                withDatabase(adminUrl, database), adminUser, adminPassword);
        var statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("SELECT pg_advisory_xact_lock(hashtext('fengyu-bootstrap'))");
      statement.execute(script(passwords));
      connection.commit();
    }
  }

  /** The bootstrap as plain SQL with the passwords filled in; hold it like a password. */
  public static String script(UnaryOperator<String> passwords) {
    var sql = read();
    for (var role : ROLES) {
      sql = sql.replace("${password:" + role + "}", literal(passwords.apply(role)));
    }
    return sql;
  }

  private static void createDatabase(Connection connection, String database) throws SQLException {
    try (var query = connection.prepareStatement("SELECT 1 FROM pg_database WHERE datname = ?")) {
      query.setString(1, database);
      try (var found = query.executeQuery()) {
        if (found.next()) {
          return;
        }
      }
    }
    try (var statement = connection.createStatement()) {
      statement.execute(
          "CREATE DATABASE \""
              + database.replace("\"", "\"\"")
              + "\" ENCODING 'UTF8' TEMPLATE template0");
    } catch (SQLException raced) {
      if (!"42P04".equals(raced.getSQLState())) {
        throw raced;
      }
    }
  }

  private static String withDatabase(String adminUrl, String database) {
    var query = adminUrl.indexOf('?');
    var address = query < 0 ? adminUrl : adminUrl.substring(0, query);
    var options = query < 0 ? "" : adminUrl.substring(query);
    return address.substring(0, address.lastIndexOf('/') + 1) + database + options;
  }

  private static String literal(String value) {
    return "'" + value.replace("'", "''") + "'";
  }

  private static String read() {
    try (var in = DatabaseBootstrap.class.getResourceAsStream("bootstrap.sql")) {
      if (in == null) {
        throw new IllegalStateException("bootstrap.sql is missing from the program");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
