package io.fengyu.agent.approval;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

@QuarkusTest
class InboxLogTest {

  private static final String NOTE =
      """
      INSERT INTO agent.approval_event (owner, source, subject, gate_id, type, at)
      VALUES ($1, 'task', $2, $2, 'opened', now() - $3 * interval '1 day')""";

  @Inject Pool pool;
  @Inject InboxLog log;

  private final String owner = "owner-" + UUID.randomUUID();

  private static <T> T done(Uni<T> work) {
    return work.await().atMost(Duration.ofSeconds(20));
  }

  private void opens(String gate, long daysAgo) {
    done(pool.preparedQuery(NOTE).execute(Tuple.of(owner, gate, daysAgo)));
  }

  @Test
  void readersThatComeAtOnceGetTheSameNumbersAndNoHole() {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var writing =
          IntStream.range(0, 100)
              .mapToObj(i -> CompletableFuture.runAsync(() -> opens("g" + i, 0), threads))
              .toList();
      var reading =
          IntStream.range(0, 20)
              .mapToObj(i -> CompletableFuture.supplyAsync(this::readUntilAll, threads))
              .toList();
      writing.forEach(CompletableFuture::join);

      var first = reading.getFirst().join();
      assertThat(first)
          .extracting(InboxEvent::position)
          .containsExactlyElementsOf(LongStream.rangeClosed(1, 100).boxed().toList());
      reading.forEach(other -> assertThat(other.join()).isEqualTo(first));
    }
  }

  // A page that was read once never changes, and nothing appears behind it later.
  private List<InboxEvent> readUntilAll() {
    var all = new java.util.ArrayList<InboxEvent>();
    while (all.size() < 100) {
      all.addAll(done(log.after(owner, all.isEmpty() ? 0 : all.getLast().position(), 7)));
    }
    return all;
  }

  @Test
  void whatWasSweptIsMissedByNobodySilently() {
    opens("read", 8);
    assertThat(done(log.bounds(owner)).last()).isEqualTo(1);
    opens("unread", 8);
    done(log.sweep());
    opens("new", 0);

    var bounds = done(log.bounds(owner));

    assertThat(bounds.holds(1)).isFalse();
    assertThat(bounds.last()).isEqualTo(3);
    assertThat(bounds.holds(2)).isTrue();
    assertThat(done(log.after(owner, 2, 10))).extracting(InboxEvent::gateId).containsExactly("new");
  }
}
