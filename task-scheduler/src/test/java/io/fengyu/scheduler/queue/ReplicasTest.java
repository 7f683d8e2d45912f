package io.fengyu.scheduler.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fengyu.contract.problem.ProblemException;
import io.fengyu.scheduler.queue.QueueLimits.Bounds;
import io.fengyu.scheduler.queue.TaskEnd.Status;
import io.smallrye.mutiny.Uni;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReplicasTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final QueueLimits SHIPPED =
      new QueueLimits(16, new Bounds(128, 64, 96), new Bounds(32, 16, 24));

  private Replicas replicas;

  @BeforeEach
  void start() throws SQLException {
    replicas = new Replicas();
  }

  @AfterEach
  void stop() throws SQLException {
    replicas.close();
  }

  @ParameterizedTest
  @CsvSource({
    "1, B1 N1 N2 I1 I2 I3 I4, I1 I2 I3 I4 N1 N2 B1",
    "3, B1 N1 N2 I1 I2 I3 I4, I1 I2 I3 I4 N1 N2 B1",
    "1, B1 I1 I2 I3 I4 I5 I6, I1 I2 I3 I4 B1 I5 I6",
    "3, B1 I1 I2 I3 I4 I5 I6, I1 I2 I3 I4 B1 I5 I6",
    "3, N1 N2 N3 N4 B1,       N1 N2 B1 N3 N4",
    "3, Na1 Na2 Nb1 Nb2,      Na1 Nb1 Na2 Nb2"
  })
  void oneSlotIsGivenAwayInTheSameOrderByHoweverManyProcesses(
      int processes, String queued, String order) {
    var one = oneSlot(processes);
    one.submit("N0", "x");
    for (var name : names(queued)) {
      one.submit(name, name.length() == 3 ? name.substring(1, 2) : "x");
    }

    one.finishAll(names(queued).size() + 1);

    assertThat(one.order()).startsWith("N0").endsWith(names(order).toArray(String[]::new));
    assertThat(one.order()).hasSize(names(order).size() + 1);
  }

  @Test
  void whatIsKilledInTheQueueNeverStarts() {
    var one = oneSlot(2);
    one.submit("N0", "a");
    one.submit("N1", "a");
    one.submit("N2", "b");

    assertThat(one.kill("N1", "a")).isTrue();
    assertThat(one.kill("N1", "a")).isFalse();
    assertThat(one.kill("N2", "a")).as("somebody else's").isFalse();
    one.finishAll(2);

    assertThat(one.order()).containsExactly("N0", "N2");
    assertThat(
            replicas
                .metrics()
                .get("fengyu.bg.task.queue.wait")
                .tags("priority", "normal", "outcome", "cancelled")
                .timer()
                .count())
        .isEqualTo(1);
  }

  @Test
  void anIdIsOneTaskHoweverOftenItIsSubmitted() throws SQLException {
    var started = new ConcurrentLinkedQueue<StartedTask>();
    var first = replicas.another(SHIPPED, started::addAll);
    var second = replicas.another(SHIPPED, started::addAll);
    var task = task(UUID.randomUUID(), "a", Priority.NORMAL);

    var answers =
        Uni.join()
            .all(first.submit(task), first.submit(task), second.submit(task), second.submit(task))
            .andFailFast()
            .await()
            .atMost(PATIENCE);

    assertThat(answers).extracting(Admitted::id).containsOnly(task.id());
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(started).hasSize(1));
    assertThat(count("true")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = 3)
  void twoThousandSubmissionsAtOnceKeepEveryLimitAndLoseNothing(int processes) throws Exception {
    var world = new World(processes, SHIPPED);
    var accepted = new ConcurrentHashMap<UUID, String>();
    var refused = new ConcurrentHashMap<UUID, String>();
    var answered = new CountDownLatch(2000);
    var random = new Random(11);
    var classes = List.of(Priority.values());
    var watch = world.watchLimits();

    for (var i = 0; i < 2000; i++) {
      var id = UUID.randomUUID();
      var owner = "o" + random.nextInt(50);
      world
          .any(i)
          .submit(task(id, owner, classes.get(random.nextInt(3))))
          .subscribe()
          .with(
              in -> {
                accepted.put(id, owner);
                answered.countDown();
              },
              failure -> {
                refused.put(id, ((ProblemException) failure).problem().code());
                answered.countDown();
              });
    }

    assertThat(answered.await(60, TimeUnit.SECONDS)).isTrue();
    await().atMost(PATIENCE).until(() -> world.ended.size() == accepted.size());
    assertThat(refused.values()).containsOnly("BACKGROUND_CAPACITY");
    assertThat(world.startedTwice).isEmpty();
    assertThat(world.ended).containsExactlyInAnyOrderElementsOf(accepted.keySet());
    assertThat(count("status = 'completed'")).isEqualTo(accepted.size());
    assertThat(count("status <> 'completed'")).as("refused ones leave nothing").isZero();
    assertThat(ringSize()).isZero();
    watch.join();
    assertThat(world.broken.get()).isNull();
    assertThat(world.mostRunning.get()).isEqualTo(16);
  }

  @Test
  void everyOwnerHasItsShareWhileAllHaveWork() throws Exception {
    var limits = new QueueLimits(1, new Bounds(2000, 2000, 2000), new Bounds(2000, 2000, 2000));
    var world = new World(3, limits);
    world.hold();
    var all =
        IntStream.range(0, 500)
            .mapToObj(i -> task(UUID.randomUUID(), "o" + i % 10, Priority.NORMAL))
            .map(task -> world.any(task.hashCode() & 7).submit(task))
            .toList();
    Uni.join().all(all).andFailFast().await().atMost(PATIENCE);

    world.letGo();

    await().atMost(PATIENCE).until(() -> world.ended.size() == 500);
    var owners = startedOwners();
    for (var from = 0; from + 100 <= 480; from += 7) {
      var shares = new HashMap<String, Integer>();
      owners.subList(from, from + 100).forEach(owner -> shares.merge(owner, 1, Integer::sum));
      assertThat(shares).hasSize(10).allSatisfy((o, n) -> assertThat(n).isBetween(9, 11));
    }
  }

  private OneSlot oneSlot(int processes) {
    return new OneSlot(processes);
  }

  private static List<String> names(String text) {
    return Pattern.compile(" ").splitAsStream(text.strip()).toList();
  }

  private static NewTask task(UUID id, String owner, Priority priority) {
    return new NewTask(id, owner, "test", priority, "w", "d", "{}");
  }

  private int count(String where) throws SQLException {
    return number("SELECT count(*) FROM scheduler.task WHERE " + where);
  }

  private int ringSize() throws SQLException {
    return number("SELECT count(*) FROM scheduler.task_owner");
  }

  private int number(String sql) throws SQLException {
    try (var connection = replicas.connect();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getInt(1);
    }
  }

  private List<String> startedOwners() throws SQLException {
    var owners = new ArrayList<String>();
    try (var connection = replicas.connect();
        var statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT owner FROM scheduler.task ORDER BY started_at")) {
      while (rows.next()) {
        owners.add(rows.getString(1));
      }
    }
    return owners;
  }

  /** A deployment with one slot whose tasks end when the test says so. */
  private final class OneSlot {

    private final List<Turns> processes = new ArrayList<>();
    private final Map<UUID, Turns> running = new ConcurrentHashMap<>();
    private final Map<UUID, String> names = new ConcurrentHashMap<>();
    private final List<String> order = Collections.synchronizedList(new ArrayList<>());
    private int next;

    OneSlot(int count) {
      var limits = new QueueLimits(1, SHIPPED.all(), SHIPPED.owner());
      for (var i = 0; i < count; i++) {
        var self = new AtomicReference<Turns>();
        self.set(replicas.another(limits, tasks -> tasks.forEach(task -> started(self, task))));
        processes.add(self.get());
      }
    }

    private void started(AtomicReference<Turns> process, StartedTask task) {
      order.add(names.get(task.id()));
      running.put(task.id(), process.get());
    }

    void submit(String name, String owner) {
      var priority =
          switch (name.charAt(0)) {
            case 'I' -> Priority.INTERACTIVE;
            case 'N' -> Priority.NORMAL;
            default -> Priority.BATCH;
          };
      var id = UUID.randomUUID();
      names.put(id, name);
      processes
          .get(next++ % processes.size())
          .submit(task(id, owner, priority))
          .await()
          .atMost(PATIENCE);
    }

    boolean kill(String name, String owner) {
      var id =
          names.entrySet().stream()
              .filter(entry -> entry.getValue().equals(name))
              .findFirst()
              .orElseThrow()
              .getKey();
      return processes.getLast().kill(owner, id).await().atMost(PATIENCE);
    }

    void finishAll(int count) {
      for (var i = 0; i < count; i++) {
        await().atMost(PATIENCE).until(() -> !running.isEmpty());
        assertThat(running).hasSize(1);
        var id = running.keySet().iterator().next();
        var process = running.remove(id);
        var end = new TaskEnd(id, Status.COMPLETED, "", null);
        assertThat(Objects.requireNonNull(process).end(end).await().atMost(PATIENCE)).isTrue();
      }
    }

    List<String> order() {
      return List.copyOf(order);
    }
  }

  /** Several processes whose tasks end by themselves. */
  private final class World {

    private final List<Turns> processes = new ArrayList<>();
    private final ConcurrentLinkedQueue<UUID> ended = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<UUID> startedTwice = new ConcurrentLinkedQueue<>();
    private final ConcurrentHashMap<UUID, Boolean> started = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Runnable> held = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean holding = new AtomicBoolean();
    private final AtomicReference<String> broken = new AtomicReference<>();
    private final AtomicInteger mostRunning = new AtomicInteger();
    private final QueueLimits limits;

    World(int count, QueueLimits limits) {
      this.limits = limits;
      for (var i = 0; i < count; i++) {
        var self = new AtomicReference<Turns>();
        self.set(replicas.another(limits, tasks -> tasks.forEach(task -> start(self, task))));
        processes.add(self.get());
      }
    }

    Turns any(int i) {
      return processes.get(i % processes.size());
    }

    void hold() {
      holding.set(true);
    }

    void letGo() {
      holding.set(false);
      held.forEach(Runnable::run);
    }

    private void start(AtomicReference<Turns> process, StartedTask task) {
      if (started.put(task.id(), true) != null) {
        startedTwice.add(task.id());
      }
      Runnable end = () -> end(process.get(), task);
      if (holding.get()) {
        held.add(end);
      } else {
        end.run();
      }
    }

    private void end(Turns process, StartedTask task) {
      process
          .end(new TaskEnd(task.id(), Status.COMPLETED, "", null))
          .subscribe()
          .with(
              stored -> {
                if (stored) {
                  ended.add(task.id());
                }
              },
              failure -> broken.set(failure.toString()));
    }

    /** Looks at the counts all the time, as anybody else sees them. */
    Thread watchLimits() {
      return Thread.ofVirtual()
          .start(
              () -> {
                try (var connection = replicas.connect()) {
                  var quiet = 0;
                  while (quiet < 20) {
                    quiet = look(connection) == 0 && !started.isEmpty() ? quiet + 1 : 0;
                  }
                } catch (SQLException failed) {
                  broken.set(failed.toString());
                }
              });
    }

    private int look(Connection connection) throws SQLException {
      try (var statement = connection.createStatement();
          var rows =
              statement.executeQuery(
                  """
                  WITH lanes AS (
                    SELECT owner, count(*) AS n, count(*) FILTER (WHERE priority = 'batch') AS b,
                           count(*) FILTER (WHERE priority <> 'interactive') AS bn
                      FROM scheduler.task WHERE status = 'queued' GROUP BY owner)
                  SELECT (SELECT count(*) FROM scheduler.task WHERE status = 'running'),
                         coalesce(sum(n), 0), coalesce(sum(b), 0), coalesce(sum(bn), 0),
                         coalesce(max(n), 0), coalesce(max(b), 0), coalesce(max(bn), 0)
                    FROM lanes""")) {
        rows.next();
        int[] most = {
          limits.running(),
          limits.all().queued(),
          limits.all().batch(),
          limits.all().nonInteractive(),
          limits.owner().queued(),
          limits.owner().batch(),
          limits.owner().nonInteractive()
        };
        for (var i = 0; i < most.length; i++) {
          if (rows.getInt(i + 1) > most[i]) {
            broken.set("count " + i + " is " + rows.getInt(i + 1));
          }
        }
        mostRunning.accumulateAndGet(rows.getInt(1), Math::max);
        return rows.getInt(1) + rows.getInt(2);
      }
    }
  }
}
