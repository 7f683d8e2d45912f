package io.fengyu.bench;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.Closeable;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;

/**
 * A server of this process alone in a temporary directory. The library starts it with durability
 * switched off, which would flatter every figure: the settings here switch it on again.
 */
final class ThrowawayPostgres implements Closeable {

  private final EmbeddedPostgres server;

  private ThrowawayPostgres(EmbeddedPostgres server) {
    this.server = server;
  }

  static ThrowawayPostgres start() throws Exception {
    var postgres =
        new ThrowawayPostgres(
            EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("shared_buffers", "256MB")
                .setServerConfig("max_wal_size", "4GB")
                .setServerConfig("max_connections", "200")
                .setPGStartupWait(Duration.ofSeconds(60))
                .start());
    if (!postgres.one("SHOW fsync").equals("on")) {
      postgres.close();
      throw new IllegalStateException("Postgres runs without fsync: nothing it shows would count");
    }
    return postgres;
  }

  int port() {
    return server.getPort();
  }

  /** Superuser, trusted from this machine. */
  String user() {
    return "postgres";
  }

  String jdbcUrl() {
    return "jdbc:postgresql://127.0.0.1:" + port() + "/postgres";
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl(), user(), "");
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = connect();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** First column of the first row. */
  String one(String sql) throws SQLException {
    try (Connection connection = connect();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      if (!rows.next()) {
        throw new SQLException("No row: " + sql);
      }
      return String.valueOf(rows.getString(1));
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
