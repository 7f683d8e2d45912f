package io.fengyu.scheduler.queue;

import io.fengyu.scheduler.queue.QueueLimits.Bounds;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.mutiny.core.Vertx;
import io.vertx.mutiny.pgclient.PgBuilder;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.PoolOptions;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Processes of the scheduler as far as the queue goes, with bodies that end as soon as they start.
 */
public final class QueueLoad implements Closeable {

  private static final int NO_BOUND = 1_000_000;

  private final Vertx vertx = Vertx.vertx();
  private final Connection database;
  private final PgConnectOptions options;

  /**
   * Makes the tables in an empty database.
   *
   * @param database closed with this object; a superuser's
   */
  public QueueLoad(Connection database, String host, int port, String user) throws SQLException {
    this.database = database;
    this.options =
        new PgConnectOptions()
            .setHost(host)
            .setPort(port)
            .setUser(user)
            .setPassword("")
            .setDatabase("postgres")
            .setCachePreparedStatements(true);
    try (var statement = database.createStatement()) {
      statement.execute("CREATE SCHEMA scheduler");
      statement.execute(migration());
    }
  }

  private static String migration() {
    try (var in = QueueLoad.class.getResourceAsStream("/db/migration/V2__tasks.sql")) {
      if (in == null) {
        throw new IllegalStateException("The migration is not on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Empties the queue. */
  public void clear() throws SQLException {
    try (var statement = database.createStatement()) {
      statement.execute("TRUNCATE scheduler.task, scheduler.task_owner");
      statement.execute("VACUUM ANALYZE scheduler.task");
    }
  }

  /** One process. */
  public final class Scheduler implements AutoCloseable {

    private final Pool pool;
    private final Turns turns;

    private Scheduler(int slots, Consumer<UUID> started, Consumer<UUID> ended) {
      pool =
          PgBuilder.pool()
              .with(new PoolOptions().setMaxSize(4))
              .connectingTo(options)
              .using(vertx)
              .build();
      var bounds = new Bounds(NO_BOUND, NO_BOUND, NO_BOUND);
      var self = new AtomicReference<@Nullable Turns>();
      turns =
          new Turns(
              new TurnStore(pool),
              UUID.randomUUID(),
              new QueueMetrics(new SimpleMeterRegistry(), new Pressure(pool, () -> true)),
              List.of(tasks -> tasks.forEach(task -> run(self.get(), task.id(), started, ended))),
              new QueueLimits(slots, bounds, bounds));
      self.set(turns);
    }

    private static void run(
        @Nullable Turns turns, UUID id, Consumer<UUID> started, Consumer<UUID> ended) {
      started.accept(id);
      if (turns != null) {
        turns
            .end(new TaskEnd(id, TaskEnd.Status.COMPLETED, "", null))
            .subscribe()
            .with(
                stored -> ended.accept(id),
                failure -> {
                  throw new IllegalStateException(failure);
                });
      }
    }

    /** From now on tasks are taken in and started. */
    public void open() {
      turns.open();
    }

    /**
     * Submits a task; {@code stored} is told when it is committed.
     *
     * @param priority 0 for interactive, 1 for normal, 2 for batch
     */
    public void submit(UUID id, String owner, int priority, Consumer<UUID> stored) {
      turns
          .submit(new NewTask(id, owner, "bare", classOf(priority), "w", "bench", "{}"))
          .subscribe()
          .with(
              in -> stored.accept(id),
              failure -> {
                throw new IllegalStateException(failure);
              });
    }

    private static Priority classOf(int priority) {
      return switch (priority) {
        case 0 -> Priority.INTERACTIVE;
        case 1 -> Priority.NORMAL;
        default -> Priority.BATCH;
      };
    }

    /** Gives free slots away. */
    public void look() {
      turns.look();
    }

    @Override
    public void close() {
      pool.closeAndAwait();
    }
  }

  /**
   * Starts a process.
   *
   * @param slots bodies at once; 0 for one that only takes in
   */
  public Scheduler process(int slots, Consumer<UUID> started, Consumer<UUID> ended) {
    return new Scheduler(slots, started, ended);
  }

  @Override
  public void close() throws IOException {
    vertx.closeAndAwait();
    try {
      database.close();
    } catch (SQLException failed) {
      throw new IOException(failed);
    }
  }
}
