package io.fengyu.contract.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fengyu.contract.testing.PostgresResource;
import io.fengyu.contract.testing.PostgresServer;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;

class ListenerTest {

  private static final int CHANNELS = 40;
  private static Vertx vertx;

  @BeforeAll
  static void open() {
    PostgresServer.shared(); // started here, so that no story waits for it
    vertx = Vertx.vertx();
  }

  @AfterAll
  static void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @RepeatedTest(10)
  void whoSubscribesWhileTheConnectionIsMadeHearsToo() throws Exception {
    var listener = new Listener(new Local(), vertx, "story");
    Set<String> heard = ConcurrentHashMap.newKeySet();
    var subscribed = new CountDownLatch(CHANNELS);
    listener.start(new StartupEvent());
    try {
      for (int i = 0; i < CHANNELS; i++) {
        var channel = "story_" + i;
        listener.listen(channel, heard::add, subscribed::countDown);
        LockSupport.parkNanos(300_000);
      }
      assertThat(subscribed.await(60, TimeUnit.SECONDS)).isTrue();

      notifyAllChannels();

      await().atMost(Duration.ofSeconds(20)).until(() -> heard.size() == CHANNELS);
    } finally {
      listener.stop(new ShutdownEvent());
    }
  }

  private static void notifyAllChannels() throws SQLException {
    try (var connection = PostgresServer.shared().connect();
        var statement = connection.createStatement()) {
      for (int i = 0; i < CHANNELS; i++) {
        statement.execute("SELECT pg_notify('story_" + i + "', '" + i + "')");
      }
    }
  }

  private record Local() implements DatabaseConfig {

    @Override
    public boolean enabled() {
      return true;
    }

    @Override
    public Optional<String> schema() {
      return Optional.empty();
    }

    @Override
    public String uri() {
      var server = PostgresServer.shared();
      return "postgresql://" + server.host() + ":" + server.port() + "/" + PostgresServer.DATABASE;
    }

    @Override
    public String jdbcUrl() {
      return "jdbc:" + uri();
    }

    @Override
    public String user() {
      return "fengyu_agent";
    }

    @Override
    public Optional<String> password() {
      return Optional.of(PostgresResource.PASSWORD);
    }

    @Override
    public boolean migrate() {
      return false;
    }

    @Override
    public Optional<String> migrateUser() {
      return Optional.empty();
    }

    @Override
    public Optional<String> migratePassword() {
      return Optional.empty();
    }

    @Override
    public Duration retryAfter() {
      return Duration.ofSeconds(2);
    }
  }
}
