package io.fengyu.agent.turn;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.ToolSpec;
import io.fengyu.agent.tool.ToolSpec.Resources;
import io.fengyu.agent.turn.TurnCalls.End;
import io.fengyu.contract.model.ResultText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TurnScheduleTest {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  @Test
  void aLaterCallWaitsForWhatAnEarlierOneWritesOrReads() {
    var reads = touch(List.of("graph"), List.of());
    var writes = touch(List.of(), List.of("graph"));
    var other = touch(List.of("model"), List.of("document"));

    assertThat(writes.precedes(reads)).isTrue();
    assertThat(reads.precedes(writes)).isTrue();
    assertThat(writes.precedes(writes)).isTrue();
    assertThat(reads.precedes(reads)).isFalse();
    assertThat(writes.precedes(other)).isFalse();
    assertThat(other.precedes(writes)).isFalse();
  }

  @Test
  void aNameWithoutAnIdConcernsEveryId() {
    var one = touch(List.of(), List.of("dataset:{id}"), args("id", "1"));
    var two = touch(List.of("dataset:{id}"), List.of(), args("id", "2"));
    var all = touch(List.of("dataset"), List.of());
    var open = touch(List.of("dataset:{id}"), List.of());
    var alike = touch(List.of("datasets"), List.of());

    assertThat(one.precedes(two)).isFalse();
    assertThat(one.precedes(all)).isTrue();
    assertThat(one.precedes(open)).isTrue();
    assertThat(one.precedes(alike)).isFalse();
    assertThat(touch(List.of(), List.of("dataset")).precedes(two)).isTrue();
    assertThat(touch(List.of(), List.of("{path}")).precedes(alike)).isTrue();
  }

  @Test
  void aFileIsTheSameFileHoweverItIsSpelled() {
    var written = file("a/b.txt");

    assertThat(written.precedes(file("./a/x/../b.txt"))).isTrue();
    assertThat(written.precedes(file("/somewhere/a/b.txt"))).isTrue();
    assertThat(written.precedes(file("a/c.txt"))).isFalse();
    assertThat(written.precedes(touch(List.of("file"), List.of()))).isTrue();
  }

  private static Touch file(String path) {
    return touch(List.of(), List.of("file:{path}"), args("path", path));
  }

  @Test
  void aLongResultLosesItsMiddleAndNoCharacter() {
    for (var letter : List.of("a", "ä", "世", "🌊")) {
      var whole = "BEGIN" + letter.repeat(90_000) + "END";
      var shown = ResultText.forModel(whole);

      assertThat(shown.getBytes(UTF_8).length).isLessThanOrEqualTo(ResultText.MOST);
      assertThat(shown).startsWith("BEGIN" + letter).endsWith(letter + "END");
      assertThat(shown).doesNotContain("\uFFFD").contains("... [omitted ");
      int omitted = Integer.parseInt(shown.replaceAll("(?s).*omitted (\\d+) of.*", "$1"));
      int mark = shown.substring(shown.indexOf("\n... ["), shown.indexOf("] ...\n") + 6).length();
      assertThat(shown.getBytes(UTF_8).length - mark + omitted)
          .isEqualTo(whole.getBytes(UTF_8).length);
    }
    assertThat(ResultText.forModel("ä".repeat(32_768))).hasSize(32_768);
  }

  @Test
  void whatNobodyDeclaredWaitsForAllUnlessItOnlyReads() {
    var anything = Touch.of(spec("x", Effect.EXTERNAL, null, null), JSON.objectNode());
    var nothing = Touch.of(spec("x", Effect.READ, null, null), JSON.objectNode());
    var named = touch(List.of("graph"), List.of());

    assertThat(anything.precedes(named)).isTrue();
    assertThat(named.precedes(anything)).isTrue();
    assertThat(nothing.precedes(anything)).isTrue();
    assertThat(anything.precedes(nothing)).isTrue();
    assertThat(nothing.precedes(named)).isFalse();
    assertThat(touch(List.of(), List.of("graph")).precedes(nothing)).isFalse();
  }

  @Test
  void graphToolsOfAnMcpServerAreKnownByTheirNames() {
    var load =
        Touch.of(
            spec("igraph__load_constructed_graph", Effect.EXTERNAL, null, "mcp"),
            args("dataset_id", "7"));
    var degree =
        Touch.of(spec("igraph__degree_analysis", Effect.READ, null, "mcp"), JSON.objectNode());
    var extract = spec("igraph__subgraph_extraction", Effect.EXTERNAL, null, "mcp");
    var search = Touch.of(spec("web_search", Effect.READ, null, null), JSON.objectNode());

    assertThat(load.precedes(degree)).isTrue();
    assertThat(load.precedes(search)).isFalse();
    assertThat(degree.precedes(Touch.of(extract, JSON.objectNode()))).isTrue();
    assertThat(degree.precedes(Touch.of(extract, JSON.objectNode().put("create_version", false))))
        .isFalse();
    assertThat(Touch.of(spec("degree_analysis", Effect.WRITE, null, null), JSON.objectNode()))
        .isEqualTo(new Touch.Anything());
  }

  @Test
  void aFailedLoadBlocksWhatNeedsTheGraphAndNothingElse() {
    var turn =
        List.of(
            touch(List.of("dataset:1"), List.of("graph")),
            touch(List.of("graph"), List.of()),
            new Touch.Nothing(),
            touch(List.of("graph"), List.of("document")),
            touch(List.of("document"), List.of()));
    var seen = run(turn, 4, call -> call == 0 ? End.FAILED : End.SUCCEEDED);

    assertThat(seen.blocked).isEqualTo(Map.of(1, List.of(0), 3, List.of(0), 4, List.of(3)));
    assertThat(seen.made).containsExactlyInAnyOrder(0, 2);
  }

  @Test
  void independentCallsMeet() throws Exception {
    var meeting = new CyclicBarrier(3);
    var turn = List.<Touch>of(new Touch.Nothing(), new Touch.Nothing(), new Touch.Nothing());

    var seen =
        run(
            turn,
            3,
            call -> {
              try {
                meeting.await(10, TimeUnit.SECONDS);
                return End.SUCCEEDED;
              } catch (Exception alone) {
                return End.FAILED;
              }
            });

    assertThat(seen.succeeded).hasValue(3);
  }

  @Test
  void everyTurnKeepsItsOrderAndItsLimit() {
    var random = new Random(20260501);
    for (int round = 0; round < 400; round++) {
      var turn = IntStream.range(0, 1 + random.nextInt(14)).mapToObj(i -> any(random)).toList();
      var ends =
          turn.stream()
              .map(t -> random.nextInt(6) == 0 ? pick(random, End.values()) : End.SUCCEEDED)
              .toList();
      int limit = 1 + random.nextInt(5);
      var seen = run(turn, limit, ends::get);

      assertThat(seen.most.get()).isLessThanOrEqualTo(limit);
      assertThat(seen.made.size() + seen.blocked.size()).isEqualTo(turn.size());
      for (int later = 0; later < turn.size(); later++) {
        var causes = causes(turn, ends, seen, later);
        assertThat(seen.blocked.getOrDefault(later, List.of())).isEqualTo(causes);
        if (causes.isEmpty()) {
          assertOrder(turn, seen, later);
        }
      }
    }
  }

  private static List<Integer> causes(List<Touch> turn, List<End> ends, Seen seen, int later) {
    return IntStream.range(0, later)
        .filter(earlier -> turn.get(earlier).precedes(turn.get(later)))
        .filter(earlier -> seen.blocked.containsKey(earlier) || ends.get(earlier) != End.SUCCEEDED)
        .boxed()
        .toList();
  }

  private static void assertOrder(List<Touch> turn, Seen seen, int later) {
    for (int earlier = 0; earlier < later; earlier++) {
      if (turn.get(earlier).precedes(turn.get(later))) {
        assertThat(seen.ended.get(earlier)).isLessThan(seen.begun.get(later));
      }
    }
  }

  @Test
  void whatACallThrowsComesOutAfterTheOthersHaveEnded() {
    var ended = new AtomicInteger();
    var turn = List.<Touch>of(new Touch.Nothing(), new Touch.Nothing(), new Touch.Anything());

    assertThatThrownBy(
            () ->
                run(
                    turn,
                    2,
                    call -> {
                      if (call == 0) {
                        throw new IllegalStateException("broken");
                      }
                      ended.incrementAndGet();
                      return End.SUCCEEDED;
                    }))
        .hasMessage("broken");
    assertThat(ended).hasValue(1);
  }

  @Test
  void theLimitIsWhatWasSetWithinBounds() {
    assertThat(ToolConcurrency.clamped("0")).isEqualTo(1);
    assertThat(ToolConcurrency.clamped("-5")).isEqualTo(1);
    assertThat(ToolConcurrency.clamped("7")).isEqualTo(7);
    assertThat(ToolConcurrency.clamped("99")).isEqualTo(32);
    assertThat(ToolConcurrency.clamped("99999999999999")).isEqualTo(32);
    assertThat(ToolConcurrency.clamped("many")).isEqualTo(4);
    assertThat(ToolConcurrency.clamped("")).isEqualTo(4);
  }

  /** What happened in a turn; moments are numbers of one counter. */
  private static final class Seen {
    final List<Integer> made = java.util.Collections.synchronizedList(new ArrayList<>());
    final Map<Integer, List<Integer>> blocked = new ConcurrentHashMap<>();
    final Map<Integer, Integer> begun = new ConcurrentHashMap<>();
    final Map<Integer, Integer> ended = new ConcurrentHashMap<>();
    final AtomicInteger clock = new AtomicInteger();
    final AtomicInteger running = new AtomicInteger();
    final AtomicInteger most = new AtomicInteger();
    final AtomicInteger succeeded = new AtomicInteger();
  }

  private interface Work {
    End make(int call);
  }

  private static Seen run(List<Touch> turn, int limit, Work work) {
    var seen = new Seen();
    TurnSchedule.run(
        CallGraph.of(turn),
        new TurnCalls() {
          @Override
          public End make(int call) {
            seen.made.add(call);
            seen.most.accumulateAndGet(seen.running.incrementAndGet(), Math::max);
            seen.begun.put(call, seen.clock.getAndIncrement());
            var end = work.make(call);
            if (end == End.SUCCEEDED) {
              seen.succeeded.incrementAndGet();
            }
            seen.ended.put(call, seen.clock.getAndIncrement());
            seen.running.decrementAndGet();
            return end;
          }

          @Override
          public void blocked(int call, List<Integer> by) {
            seen.blocked.put(call, by);
          }
        },
        limit);
    return seen;
  }

  private static Touch any(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> new Touch.Anything();
      case 1 -> new Touch.Nothing();
      default -> touch(anyNames(random), anyNames(random));
    };
  }

  private static List<String> anyNames(Random random) {
    var names = List.of("graph", "dataset", "dataset:1", "dataset:2", "document");
    return names.stream().filter(name -> random.nextInt(4) == 0).toList();
  }

  private static End pick(Random random, End... ends) {
    return ends[random.nextInt(ends.length)];
  }

  private static ObjectNode args(String name, String value) {
    return JSON.objectNode().put(name, value);
  }

  private static Touch touch(List<String> reads, List<String> writes) {
    return touch(reads, writes, JSON.objectNode());
  }

  private static Touch touch(List<String> reads, List<String> writes, ObjectNode args) {
    return Touch.of(spec("t", Effect.EXTERNAL, new Resources(reads, writes), null), args);
  }

  private static ToolSpec spec(
      String name, Effect effect, @Nullable Resources resources, @Nullable String plugin) {
    return new ToolSpec(
        name, name, JSON.objectNode(), null, effect, false, resources, name, plugin, "1", null);
  }
}
