package io.fengyu.bench;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.Closeable;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;

/** db-scheduler in this process, with the settings that its authors advise for throughput. */
final class PeerScheduler implements Closeable {

  private static final int THREADS = 16;

  private final ThrowawayPostgres postgres;
  private final HikariDataSource pool;
  private final AtomicReference<CountDownLatch> ended =
      new AtomicReference<>(new CountDownLatch(0));
  private final AtomicReference<long[]> started = new AtomicReference<>(new long[0]);
  private final OneTimeTask<Void> task =
      Tasks.oneTime("nothing")
          .execute(
              (instance, context) -> {
                var times = started.get();
                int number = Integer.parseInt(instance.getId());
                if (number < times.length) {
                  times[number] = System.nanoTime();
                }
                ended.get().countDown();
              });

  PeerScheduler(ThrowawayPostgres postgres) throws SQLException {
    this.postgres = postgres;
    postgres.execute(
        """
        CREATE TABLE scheduled_tasks (
          task_name text NOT NULL, task_instance text NOT NULL, task_data bytea,
          execution_time timestamptz NOT NULL, picked boolean NOT NULL, picked_by text,
          last_success timestamptz, last_failure timestamptz, consecutive_failures int,
          last_heartbeat timestamptz, version bigint NOT NULL, priority smallint, state text,
          PRIMARY KEY (task_name, task_instance));
        CREATE INDEX ON scheduled_tasks (execution_time);
        CREATE INDEX ON scheduled_tasks (last_heartbeat)""");
    var config = new HikariConfig();
    config.setJdbcUrl(postgres.jdbcUrl());
    config.setUsername(postgres.user());
    config.setMaximumPoolSize(THREADS + 4);
    pool = new HikariDataSource(config);
  }

  private Scheduler scheduler() {
    return Scheduler.create(pool, task)
        .threads(THREADS)
        .pollingInterval(Duration.ofMillis(100))
        .enableImmediateExecution()
        .pollUsingLockAndFetch(1.0, 4.0)
        .build();
  }

  /** Tasks stored per second, by as many threads as there are workers. */
  double fill(int count) throws Exception {
    postgres.execute("TRUNCATE scheduled_tasks");
    var scheduler = scheduler();
    long start = System.nanoTime();
    try (var threads = Executors.newFixedThreadPool(THREADS)) {
      for (var i = 0; i < count; i++) {
        var id = Integer.toString(i);
        threads.execute(() -> scheduler.schedule(task.instance(id), Instant.now()));
      }
    }
    return count / ((System.nanoTime() - start) / 1e9);
  }

  /** Tasks executed per second. */
  double drain(int count) throws Exception {
    var latch = new CountDownLatch(count);
    ended.set(latch);
    var scheduler = scheduler();
    long start = System.nanoTime();
    scheduler.start();
    try {
      TasksBench.await(latch);
      return count / ((System.nanoTime() - start) / 1e9);
    } finally {
      scheduler.stop();
    }
  }

  /** From the call that stores a task to its start. */
  Samples steady(int rate, int warmSeconds, int seconds) throws Exception {
    postgres.execute("TRUNCATE scheduled_tasks");
    int count = rate * (warmSeconds + seconds);
    var latch = new CountDownLatch(count);
    ended.set(latch);
    started.set(new long[count]);
    var submitted = new long[count];
    var scheduler = scheduler();
    scheduler.start();
    try (var threads = Executors.newFixedThreadPool(8)) {
      TasksBench.pace(
          count,
          rate,
          i -> {
            submitted[(int) i] = System.nanoTime();
            threads.execute(
                () -> scheduler.schedule(task.instance(Long.toString(i)), Instant.now()));
            return i;
          });
      TasksBench.await(latch);
    } finally {
      scheduler.stop();
    }
    int from = rate * warmSeconds;
    var nanos = new long[count - from];
    for (var i = from; i < count; i++) {
      nanos[i - from] = started.get()[i] - submitted[i];
    }
    return Samples.millis(nanos);
  }

  @Override
  public void close() {
    pool.close();
  }
}
