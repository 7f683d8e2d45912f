package io.fengyu.contract.testing;

import io.fengyu.contract.db.DatabaseBootstrap;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;

/**
 * The one Postgres of this test process: a container where a Docker engine answers and has the
 * image, a program of this machine otherwise.
 */
public final class PostgresServer {

  /** The database all services share, as in production. */
  public static final String DATABASE = "fengyu";

  private static final class Holder {
    static final PostgresServer SHARED = launch();
  }

  private final String host;
  private final int port;
  private final String adminUser;
  private final String adminPassword;

  PostgresServer(String host, int port, String adminUser, String adminPassword) {
    this.host = host;
    this.port = port;
    this.adminUser = adminUser;
    this.adminPassword = adminPassword;
  }

  /** Starts it at the first call. */
  public static PostgresServer shared() {
    return Holder.SHARED;
  }

  /** Where it listens. */
  public String host() {
    return host;
  }

  /** Where it listens. */
  public int port() {
    return port;
  }

  /** A connection with every right, for what a story must see behind the API. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(url(DATABASE), adminUser, adminPassword);
  }

  /** A connection as one of the roles of production. */
  public Connection connectAs(String role) throws SQLException {
    return DriverManager.getConnection(url(DATABASE), role, PostgresResource.PASSWORD);
  }

  private String url(String database) {
    return "jdbc:postgresql://" + host + ":" + port + "/" + database;
  }

  private static PostgresServer launch() {
    try {
      var contained = PostgresContainer.start();
      var server = contained == null ? embedded() : contained;
      DatabaseBootstrap.run(
          server.url("postgres"),
          server.adminUser,
          server.adminPassword,
          DATABASE,
          role -> PostgresResource.PASSWORD);
      return server;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (SQLException failed) {
      throw new IllegalStateException("The test database cannot be prepared", failed);
    }
  }

  private static PostgresServer embedded() throws IOException {
    var postgres =
        EmbeddedPostgres.builder()
            .setServerConfig("fsync", "off")
            .setServerConfig("max_connections", "120")
            .setServerConfig("shared_buffers", "32MB")
            .setPGStartupWait(Duration.ofSeconds(60))
            .start();
    return new PostgresServer("localhost", postgres.getPort(), "postgres", "postgres");
  }
}
