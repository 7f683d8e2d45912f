package io.fengyu.scheduler.queue;

import io.fengyu.contract.testing.PostgresResource;
import io.fengyu.contract.testing.PostgresServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.mutiny.core.Vertx;
import io.vertx.mutiny.pgclient.PgBuilder;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.PoolOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Several processes of the scheduler, as far as the queue is concerned, over a database of theirs.
 */
final class Replicas implements AutoCloseable {

  private static final List<String> TABLES = List.of("V2__tasks.sql", "V3__task_replicas.sql");

  private final String database = "queue_" + UUID.randomUUID().toString().replace("-", "");
  private final Vertx vertx = Vertx.vertx();
  private final List<Pool> pools = new ArrayList<>();
  private final MeterRegistry metrics = new SimpleMeterRegistry();

  Replicas() throws SQLException {
    try (var admin = PostgresServer.shared().connect();
        var statement = admin.createStatement()) {
      statement.execute("CREATE DATABASE " + database + " OWNER fengyu_scheduler");
    }
    try (var connection = connect();
        var statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA scheduler");
      for (var file : TABLES) {
        statement.execute(text("/db/migration/" + file));
      }
    }
  }

  private static String text(String resource) {
    try (var in = Replicas.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(resource + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  Connection connect() throws SQLException {
    var server = PostgresServer.shared();
    return DriverManager.getConnection(
        "jdbc:postgresql://" + server.host() + ":" + server.port() + "/" + database,
        "fengyu_scheduler",
        PostgresResource.PASSWORD);
  }

  /** One more process. */
  Turns another(QueueLimits limits, TaskStarter starter) {
    var pool = pool();
    var turns =
        new Turns(
            new TurnStore(pool),
            UUID.randomUUID(),
            new QueueMetrics(metrics, new Pressure(pool, () -> true)),
            List.of(starter),
            limits);
    turns.open();
    return turns;
  }

  MeterRegistry metrics() {
    return metrics;
  }

  private Pool pool() {
    var server = PostgresServer.shared();
    var options =
        new PgConnectOptions()
            .setHost(server.host())
            .setPort(server.port())
            .setUser("fengyu_scheduler")
            .setPassword(PostgresResource.PASSWORD)
            .setDatabase(database)
            .setCachePreparedStatements(true);
    var pool =
        PgBuilder.pool()
            .with(new PoolOptions().setMaxSize(4))
            .connectingTo(options)
            .using(vertx)
            .build();
    pools.add(pool);
    return pool;
  }

  @Override
  public void close() throws SQLException {
    pools.forEach(Pool::closeAndAwait);
    vertx.closeAndAwait();
    try (var admin = PostgresServer.shared().connect();
        var statement = admin.createStatement()) {
      statement.execute("DROP DATABASE " + database + " WITH (FORCE)");
    }
  }
}
