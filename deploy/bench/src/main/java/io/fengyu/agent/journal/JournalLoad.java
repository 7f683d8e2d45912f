package io.fengyu.agent.journal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Runs that do nothing but write their journal, as many at once as asked for. */
public final class JournalLoad implements Closeable {

  /** What a run waits for. */
  public enum Wait {
    /** For nothing but room in the journal, as steps that only read do. */
    ROOM,
    /** For every second event to be on disk, as steps with effects do. */
    EVERY_STEP
  }

  private final UUID executor = UUID.randomUUID();
  private final Connection database;
  private final Vertx vertx = Vertx.vertx();
  private final Journal journal;
  private final ObjectNode event;

  /**
   * Makes the tables in an empty database.
   *
   * @param database closed with this object; a superuser's
   * @param event data of every event
   */
  public JournalLoad(Connection database, String host, int port, String user, ObjectNode event)
      throws SQLException {
    this.database = database;
    this.event = event;
    try (var statement = database.createStatement()) {
      statement.execute("CREATE SCHEMA agent");
      statement.execute(migration());
      statement.execute(
          "INSERT INTO agent.executor VALUES ('%s', 'bench', now() + interval '1 day')"
              .formatted(executor));
    }
    var options =
        new PgConnectOptions()
            .setHost(host)
            .setPort(port)
            .setUser(user)
            .setPassword("")
            .setDatabase("postgres");
    journal =
        new Journal(vertx, options, new Bounds(), Clock.systemUTC(), new LiveRuns(), () -> false);
  }

  private static String migration() {
    try (var in = JournalLoad.class.getResourceAsStream("/db/migration/V1__runs.sql")) {
      if (in == null) {
        throw new IllegalStateException("The migration is not on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .replace("${chatRole}", "CURRENT_USER");
    } catch (IOException unreadable) {
      throw new IllegalStateException(unreadable);
    }
  }

  /** Durable events per second over all runs. */
  public double eventsPerSecond(int runs, Wait wait, Duration time) throws Exception {
    var logs = new ArrayList<RunLog>();
    for (var i = 0; i < runs; i++) {
      logs.add(log());
    }
    var start = System.nanoTime();
    var end = start + time.toNanos();
    long events = 0;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Long>> written = new ArrayList<>();
      for (var log : logs) {
        written.add(threads.submit(() -> write(log, wait, end)));
      }
      for (var part : written) {
        events += part.get();
      }
    }
    return events / ((System.nanoTime() - start) / 1e9);
  }

  private RunLog log() throws SQLException {
    var run = UUID.randomUUID();
    try (var statement = database.createStatement()) {
      statement.execute(
          """
          INSERT INTO agent.run (id, owner, goal, status, config, sandbox_profile, executor)
          VALUES ('%s', 'bench', '', 'EXECUTING', '{}', 'sandboxed', '%s')"""
              .formatted(run, executor));
    }
    return journal.open(new LiveRun(run, "bench", -1), 1, executor, 0, 0);
  }

  private long write(RunLog log, Wait wait, long end)
      throws InterruptedException, ExecutionException {
    var start = List.of(new RunLog.Entry(EventType.STEP_START, event));
    var complete = List.of(new RunLog.Entry(EventType.STEP_COMPLETE, event));
    long events = 0;
    while (System.nanoTime() < end) {
      log.append(start, List.of());
      if (wait == Wait.EVERY_STEP) {
        log.durable().toCompletableFuture().get();
      } else {
        log.room().toCompletableFuture().get();
      }
      log.append(complete, List.of());
      events += 2;
    }
    log.durable().toCompletableFuture().get();
    return events;
  }

  @Override
  public void close() throws IOException {
    journal.close();
    try {
      vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
      database.close();
    } catch (Exception failed) {
      throw new IOException(failed);
    }
  }

  /** The bounds of production, but for the backlog, which only delays the end of a measurement. */
  private static final class Bounds implements JournalConfig {

    @Override
    public Duration leaseTtl() {
      return Duration.ofSeconds(20);
    }

    @Override
    public Duration heartbeat() {
      return Duration.ofSeconds(5);
    }

    @Override
    public int batchEvents() {
      return 1000;
    }

    @Override
    public int batchChars() {
      return 2 * 1024 * 1024;
    }

    @Override
    public long backlogChars() {
      return 1024 * 1024;
    }

    @Override
    public Duration statementTimeout() {
      return Duration.ofSeconds(10);
    }

    @Override
    public Duration eventRetention() {
      return Duration.ofDays(7);
    }

    @Override
    public int streamsPerOwner() {
      return 200;
    }

    @Override
    public Duration streamHeartbeat() {
      return Duration.ofSeconds(12);
    }

    @Override
    public Duration streamStall() {
      return Duration.ofSeconds(30);
    }

    @Override
    public String dataDir() {
      return System.getProperty("java.io.tmpdir");
    }
  }
}
