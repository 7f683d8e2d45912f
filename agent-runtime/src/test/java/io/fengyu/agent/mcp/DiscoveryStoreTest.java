package io.fengyu.agent.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fengyu.testing.mcp.ToolServer;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class DiscoveryStoreTest {

  private static final Duration WITHIN = Duration.ofSeconds(30);

  @Inject Pool pool;
  @Inject ObjectMapper json;
  @Inject ServerStore servers;

  private final McpClient alice = McpClient.alice();
  private final ToolServer server = ToolServer.start();
  private final List<McpClient.Server> added = new ArrayList<>();

  @AfterEach
  void close() {
    added.forEach(McpClient.Server::delete);
    server.close();
  }

  /** What holds where nothing is configured. */
  private static final class AsShipped implements McpConfig {

    @Override
    public String profile() {
      return "server";
    }

    @Override
    public Optional<Boolean> allowPrivate() {
      return Optional.empty();
    }

    @Override
    public Optional<Boolean> allowCommands() {
      return Optional.empty();
    }

    @Override
    public boolean reportingTools() {
      return true;
    }

    @Override
    public Duration firstRetry() {
      return Duration.ofSeconds(30);
    }

    @Override
    public Duration lastRetry() {
      return Duration.ofMinutes(10);
    }

    @Override
    public Duration rhythm() {
      return Duration.ofSeconds(2);
    }
  }

  private DiscoveryStore store() {
    return new DiscoveryStore(pool, json, servers, new AsShipped());
  }

  private McpServer connected(String begin) {
    var own = alice.connected(McpClient.freshName(begin), McpClient.http(server.address()));
    added.add(own);
    return find(own);
  }

  private McpServer find(McpClient.Server own) {
    return Objects.requireNonNull(servers.find(UUID.fromString(own.id)).await().atMost(WITHIN));
  }

  private double secondsUntilDue(McpServer of) {
    return pool.preparedQuery(
            "SELECT extract(epoch FROM due_at - now())::float8 FROM agent.mcp_server WHERE id = $1")
        .execute(Tuple.of(of.id()))
        .map(rows -> rows.iterator().next().getDouble(0))
        .await()
        .atMost(WITHIN);
  }

  @Test
  void attemptsWaitHalfAMinuteThenTwiceAsLongUpToTenMinutes() {
    server.tool("say", (request, reply) -> reply.text("yes"));
    var own = connected("curve");
    var store = store();

    for (var seconds : List.of(30, 60, 120, 240, 480, 600, 600, 600)) {
      store.failed(own, "down").await().atMost(WITHIN);
      assertThat(secondsUntilDue(own)).isCloseTo(seconds, within(20.0));
    }
    store.found(own, own.offered(), own.accepted(), null).await().atMost(WITHIN);
    assertThat(secondsUntilDue(own)).isCloseTo(600, within(20.0));
    store.failed(own, "down").await().atMost(WITHIN);
    assertThat(secondsUntilDue(own))
        .as("a good attempt forgets the bad ones")
        .isCloseTo(30, within(20.0));
    assertThat(added.getFirst().view().getString("status")).isEqualTo("error");
    assertThat(alice.catalog()).contains(added.getFirst().tool("say"));
  }

  @Test
  void replicasThatLookAtTheSameTimeTakeDifferentServers() {
    server.tool("say", (request, reply) -> reply.text("yes"));
    for (int i = 0; i < 6; i++) {
      connected("shared");
    }
    var ids = added.stream().map(own -> UUID.fromString(own.id)).toArray(UUID[]::new);
    var one = store();
    var other = store();
    for (int round = 0; round < 10; round++) {
      pool.preparedQuery("UPDATE agent.mcp_server SET due_at = now() WHERE id = ANY ($1)")
          .execute(Tuple.of(ids))
          .await()
          .atMost(WITHIN);

      var both =
          Uni.combine().all().unis(one.claim(3), other.claim(3)).asTuple().await().atMost(WITHIN);

      var taken = new ArrayList<UUID>();
      both.getItem1().forEach(each -> taken.add(each.id()));
      both.getItem2().forEach(each -> taken.add(each.id()));
      assertThat(taken).doesNotHaveDuplicates();
      assertThat(both.getItem1())
          .allSatisfy(each -> assertThat(secondsUntilDue(each)).isPositive());
    }
  }
}
