package io.fengyu.bench;

import io.fengyu.scheduler.queue.QueueLoad;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongUnaryOperator;

/**
 * Background tasks whose bodies do nothing, beside db-scheduler and a bare loop on the same rows.
 */
final class TasksBench implements Bench {

  private static final int DRAINED = 20_000;
  private static final int SLOTS = 64;
  private static final int OWNERS = 20;
  private static final int STEADY_SECONDS = 10;
  private static final int WARM_SECONDS = 3;
  private static final int PATIENCE_SECONDS = 120;

  @Override
  public String about() {
    return "tasks in and out per second, and from submission to start, beside db-scheduler";
  }

  @Override
  public int limitSeconds() {
    return 600;
  }

  @Override
  public void run(Lab lab) throws Exception {
    var postgres = lab.postgres();
    var load =
        lab.opened(
            new QueueLoad(postgres.connect(), "127.0.0.1", postgres.port(), postgres.user()));
    var peer = lab.opened(new PeerScheduler(postgres));
    var bare = new BareClaims(postgres);
    peer.fill(2_000);
    peer.drain(2_000);
    fill(load, 2_000);
    lab.quiet();
    throughput(lab, load, peer, bare);
    latency(lab, load, peer);
  }

  private static void throughput(Lab lab, QueueLoad load, PeerScheduler peer, BareClaims bare)
      throws Exception {
    double peerIn = peer.fill(DRAINED);
    double peerOut = peer.drain(DRAINED);
    double floor = bare.claimAndFinish(DRAINED, 32);
    var both = fill(load, DRAINED);
    var table = lab.table("20 000 bare tasks", "in/s", "ratio", "out/s", "ratio", "to the floor");
    table.row("db-scheduler", peerIn, 1.0, peerOut, 1.0, peerOut / floor);
    table.row("claim and finish by 32, bare", "-", "-", floor, floor / peerOut, 1.0);
    table.row("tasks", both[0], both[0] / peerIn, both[1], both[1] / peerOut, both[1] / floor);
    table.print();
  }

  /** Tasks taken in per second by one process, and drained per second by another. */
  private static double[] fill(QueueLoad load, int count) throws Exception {
    load.clear();
    var stored = new CountDownLatch(count);
    var ended = new CountDownLatch(count);
    try (var in = load.process(0, id -> {}, id -> {});
        var out = load.process(SLOTS, id -> {}, id -> ended.countDown())) {
      in.open();
      long start = System.nanoTime();
      for (var i = 0; i < count; i++) {
        in.submit(UUID.randomUUID(), "o" + i % OWNERS, mix(i), id -> stored.countDown());
        if (i % 512 == 511) {
          awaitAtMost(stored, count - i + 4_096);
        }
      }
      await(stored);
      double inSeconds = (System.nanoTime() - start) / 1e9;
      start = System.nanoTime();
      out.open();
      await(ended);
      return new double[] {count / inSeconds, count / ((System.nanoTime() - start) / 1e9)};
    }
  }

  // Four interactive ones, two normal ones, one batch one.
  private static int mix(int i) {
    int place = i % 7;
    return place < 4 ? 0 : place < 6 ? 1 : 2;
  }

  private static void awaitAtMost(CountDownLatch latch, int left) {
    while (latch.getCount() > left) {
      LockSupport.parkNanos(100_000);
    }
  }

  private static void latency(Lab lab, QueueLoad load, PeerScheduler peer) throws Exception {
    var table = lab.table("submission to start", "a second", "p50 ms", "p99 ms", "p99 ratio");
    for (int rate : new int[] {200, 1_000}) {
      var theirs = peer.steady(rate, WARM_SECONDS, STEADY_SECONDS);
      var ours = steady(load, rate);
      table.row("db-scheduler", rate, theirs.p50(), theirs.p99(), 1.0);
      table.row("tasks", rate, ours.p50(), ours.p99(), ours.p99() / theirs.p99());
    }
    table.print();
  }

  private static Samples steady(QueueLoad load, int rate) throws Exception {
    load.clear();
    int count = rate * (WARM_SECONDS + STEADY_SECONDS);
    Map<UUID, Long> submitted = new ConcurrentHashMap<>();
    Map<UUID, Long> waited = new ConcurrentHashMap<>();
    var ended = new CountDownLatch(count);
    try (var process =
        load.process(
            SLOTS,
            id -> waited.put(id, System.nanoTime() - submitted.getOrDefault(id, 0L)),
            id -> ended.countDown())) {
      process.open();
      var measured = new UUID[count];
      pace(
          count,
          rate,
          i -> {
            var id = UUID.randomUUID();
            measured[(int) i] = id;
            submitted.put(id, System.nanoTime());
            process.submit(id, "o" + i % OWNERS, mix((int) i), done -> {});
            return i;
          });
      await(ended);
      var nanos = new long[count - rate * WARM_SECONDS];
      for (var i = 0; i < nanos.length; i++) {
        nanos[i] = waited.getOrDefault(measured[i + rate * WARM_SECONDS], 0L);
      }
      return Samples.millis(nanos);
    }
  }

  /** One call at each of its times, however long the ones before take. */
  static void pace(int count, int rate, LongUnaryOperator call) {
    long start = System.nanoTime() + 100_000_000L;
    for (long i = 0; i < count; i++) {
      long due = start + i * 1_000_000_000L / rate;
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      var unused = call.applyAsLong(i);
    }
  }

  static void await(CountDownLatch latch) throws InterruptedException {
    if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException(latch.getCount() + " tasks did not come to their end");
    }
  }

  /** The rows of a queue, claimed and finished by one loop that knows no order and no limits. */
  private record BareClaims(ThrowawayPostgres postgres) {

    double claimAndFinish(int count, int atOnce) throws SQLException {
      postgres.execute(
          """
          DROP TABLE IF EXISTS bare_task;
          CREATE TABLE bare_task (id bigint PRIMARY KEY, state text NOT NULL, owner text NOT NULL);
          CREATE INDEX ON bare_task (id) WHERE state = 'queued';
          INSERT INTO bare_task SELECT i, 'queued', 'o' || i %% 20 FROM generate_series(1, %d) i;
          VACUUM ANALYZE bare_task"""
              .formatted(count)
              .replace("VACUUM ANALYZE bare_task", "ANALYZE bare_task"));
      try (var connection = postgres.connect();
          var claim =
              connection.prepareStatement(
                  """
                  UPDATE bare_task SET state = 'running'
                   WHERE id IN (SELECT id FROM bare_task WHERE state = 'queued'
                                 ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED)
                  RETURNING id""");
          var finish =
              connection.prepareStatement(
                  "UPDATE bare_task SET state = 'completed' WHERE id = ANY (?)")) {
        long start = System.nanoTime();
        for (int done = 0; done < count; ) {
          claim.setInt(1, atOnce);
          var ids = new java.util.ArrayList<Long>();
          try (var rows = claim.executeQuery()) {
            while (rows.next()) {
              ids.add(rows.getLong(1));
            }
          }
          finish.setArray(1, connection.createArrayOf("bigint", ids.toArray()));
          finish.executeUpdate();
          done += ids.size();
        }
        return count / ((System.nanoTime() - start) / 1e9);
      }
    }
  }
}
