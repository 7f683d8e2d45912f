package io.fengyu.scheduler.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fengyu.scheduler.queue.QueueLimits.Bounds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueueTest {

  private static final QueueLimits SHIPPED =
      new QueueLimits(16, new Bounds(128, 64, 96), new Bounds(32, 16, 24));

  @ParameterizedTest
  @CsvSource({
    "B1 N1 N2 I1 I2 I3 I4,         I1 I2 I3 I4 N1 N2 B1",
    "B1 I1 I2 I3 I4 I5 I6,         I1 I2 I3 I4 B1 I5 I6",
    "N1 N2 N3 N4 B1,               N1 N2 B1 N3 N4",
    "I1 I2 I3 I4 I5 N1 N2 N3 B1 B2, I1 I2 I3 I4 N1 N2 B1 I5 N3 B2"
  })
  void oneOwnersClassesStartByTheCycle(String queued, String order) {
    var line = new Line();
    for (var name : names(queued)) {
      line.queue("a", name);
    }

    assertThat(line.order()).isEqualTo(names(order));
  }

  @Test
  void ownersTakeTurns() {
    var line = new Line();
    line.queue("a", "Na1");
    line.queue("a", "Na2");
    line.queue("b", "Nb1");
    line.queue("b", "Nb2");

    assertThat(line.order()).containsExactly("Na1", "Nb1", "Na2", "Nb2");
  }

  @Test
  void whoComesBackJoinsAtTheTailAndAtTheStartOfTheCycle() {
    var line = new Line();
    line.queue("a", "Na1");
    line.queue("b", "Nb1");
    line.queue("b", "Nb2");
    assertThat(line.start()).isEqualTo("Na1");
    line.queue("a", "Na2");
    line.queue("a", "Ia3");

    assertThat(line.order()).containsExactly("Nb1", "Ia3", "Nb2", "Na2");
  }

  @Test
  void whatIsWithdrawnLeavesItsPlaceAtOnce() {
    var ring = new Ring(List.of());
    ring.add(new Lane("a", Priority.BATCH));
    ring.add(new Lane("b", Priority.NORMAL));
    ring.remove(new Lane("a", Priority.BATCH));

    assertThat(ring.queued()).isEqualTo(1);
    assertThat(ring.gone()).containsExactly("a");
    assertThat(ring.next()).isEqualTo(new Lane("b", Priority.NORMAL));
    assertThat(ring.next()).isNull();
  }

  @Test
  void aFreeSlotNeedsNoPlaceInTheQueue() {
    var queue = queue(0);

    var refused =
        java.util.stream.IntStream.range(0, 200)
            .mapToObj(i -> queue.admit(task("a", Priority.NORMAL)))
            .filter(refusal -> refusal != null)
            .toList();

    assertThat(queue.started()).hasSize(16);
    assertThat(queue.admitted()).hasSize(40);
    assertThat(refused)
        .hasSize(160)
        .containsOnly(new Refusal("owner-priority", Priority.NORMAL, 24));
  }

  @Test
  void interactiveTasksHaveAReserve() {
    var queue = queue(16);
    times(24, queue, "a", Priority.NORMAL);
    assertThat(queue.admit(task("a", Priority.NORMAL)))
        .isEqualTo(new Refusal("owner-priority", Priority.NORMAL, 24));
    times(8, queue, "a", Priority.INTERACTIVE);
    assertThat(queue.admit(task("a", Priority.INTERACTIVE)))
        .isEqualTo(new Refusal("owner", null, 32));
  }

  @Test
  void batchTasksLeaveRoomForNormalOnes() {
    var queue = queue(16);
    times(16, queue, "a", Priority.BATCH);
    assertThat(queue.admit(task("a", Priority.BATCH)))
        .isEqualTo(new Refusal("owner-priority", Priority.BATCH, 16));
    times(8, queue, "a", Priority.NORMAL);
    assertThat(queue.admit(task("a", Priority.NORMAL)))
        .isEqualTo(new Refusal("owner-priority", Priority.NORMAL, 24));
  }

  @Test
  void allOwnersTogetherLeaveTheReserveToo() {
    var queue = queue(16);
    for (var owner : List.of("a", "b", "c", "d")) {
      times(16, queue, owner, Priority.BATCH);
    }
    assertThat(queue.admit(task("e", Priority.BATCH)))
        .isEqualTo(new Refusal("global-priority", Priority.BATCH, 64));
    for (var owner : List.of("e", "f", "g", "h")) {
      times(8, queue, owner, Priority.NORMAL);
    }
    assertThat(queue.admit(task("i", Priority.NORMAL)))
        .isEqualTo(new Refusal("global-priority", Priority.NORMAL, 96));
    times(32, queue, "i", Priority.INTERACTIVE);
    assertThat(queue.admit(task("j", Priority.INTERACTIVE)))
        .isEqualTo(new Refusal("global", null, 128));
    assertThat(queue.admit(task("i", Priority.INTERACTIVE)))
        .isEqualTo(new Refusal("global", null, 128));
  }

  @Test
  void sharesAreFairWhileEveryOwnerHasWork() {
    var random = new Random(7);
    var classes = List.of(Priority.values());
    var ring = new Ring(List.of());
    for (var i = 0; i < 5_000; i++) {
      ring.add(new Lane("o" + random.nextInt(10), classes.get(random.nextInt(3))));
    }
    for (var window = 0; window < 40; window++) {
      Map<String, Integer> starts = new HashMap<>();
      for (var i = 0; i < 100; i++) {
        var lane = ring.next();
        starts.merge(lane == null ? "nobody" : lane.owner(), 1, Integer::sum);
      }
      assertThat(starts).hasSize(10).allSatisfy((owner, n) -> assertThat(n).isEqualTo(10));
    }
  }

  @Test
  void limitsThatContradictEachOtherStopTheStart() {
    assertThatThrownBy(() -> QueueLimits.of(config(16, 128, 129, 64, 96)))
        .hasMessageContaining("FENGYU_BG_MAX_QUEUED_PER_OWNER (129)")
        .hasMessageContaining("FENGYU_BG_MAX_QUEUED (128)");
    assertThatThrownBy(() -> QueueLimits.of(config(16, 128, 32, 100, 96)))
        .hasMessageContaining("FENGYU_BG_MAX_QUEUED_BATCH (100)");
    assertThatThrownBy(() -> QueueLimits.of(config(16, 128, 32, 64, 129)))
        .hasMessageContaining("FENGYU_BG_MAX_QUEUED_NON_INTERACTIVE (129)");
    assertThatThrownBy(() -> QueueLimits.of(config(0, 128, 32, 64, 96)))
        .hasMessageContaining("FENGYU_BG_MAX_RUNNING");
  }

  private static List<String> names(String text) {
    return Pattern.compile(" ").splitAsStream(text.strip()).toList();
  }

  private static Queue queue(int running) {
    return new Queue(SHIPPED, running, new Ring(List.of()), true);
  }

  private static void times(int n, Queue queue, String owner, Priority priority) {
    for (var i = 0; i < n; i++) {
      assertThat(queue.admit(task(owner, priority))).isNull();
    }
  }

  private static NewTask task(String owner, Priority priority) {
    return new NewTask(UUID.randomUUID(), owner, "workflow", priority, "w", "d", "{}");
  }

  private static QueueConfig config(
      int running, int queued, int perOwner, int batch, int nonInteractive) {
    return new QueueConfig() {
      @Override
      public int maxRunning() {
        return running;
      }

      @Override
      public int maxQueued() {
        return queued;
      }

      @Override
      public int maxQueuedPerOwner() {
        return perOwner;
      }

      @Override
      public int maxQueuedBatch() {
        return batch;
      }

      @Override
      public int maxQueuedBatchPerOwner() {
        return 16;
      }

      @Override
      public int maxQueuedNonInteractive() {
        return nonInteractive;
      }

      @Override
      public int maxQueuedNonInteractivePerOwner() {
        return 24;
      }
    };
  }

  /** One slot, and the names of what waits; the ring is stored and read again between starts. */
  private static final class Line {

    private final Map<Lane, List<String>> lanes = new HashMap<>();
    private Ring ring = new Ring(List.of());

    void queue(String owner, String name) {
      var lane = new Lane(owner, priority(name));
      lanes.computeIfAbsent(lane, none -> new ArrayList<>()).add(name);
      ring.add(lane);
    }

    private static Priority priority(String name) {
      return switch (name.charAt(0)) {
        case 'I' -> Priority.INTERACTIVE;
        case 'N' -> Priority.NORMAL;
        default -> Priority.BATCH;
      };
    }

    String start() {
      var lane = ring.next();
      ring = ring.copy();
      return lane == null ? "" : lanes.getOrDefault(lane, List.of()).removeFirst();
    }

    List<String> order() {
      var order = new ArrayList<String>();
      for (var name = start(); !name.isEmpty(); name = start()) {
        order.add(name);
      }
      return order;
    }
  }
}
