package io.fengyu.agent.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fengyu.contract.testing.PostgresServer;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@QuarkusTest
class SpoolTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Inject RunStore store;
  @Inject LiveRuns live;
  @Inject Vertx vertx;
  @Inject JournalConfig config;

  @ConfigProperty(name = "quarkus.datasource.reactive.url")
  String url;

  @ConfigProperty(name = "quarkus.datasource.username")
  String user;

  @ConfigProperty(name = "quarkus.datasource.password")
  String password;

  @TempDir Path directory;

  private Journal nextProcess;
  private Spooling spooling;

  @BeforeEach
  void startAnotherJournal() {
    nextProcess =
        new Journal(
            vertx,
            PgConnectOptions.fromUri(url).setUser(user).setPassword(password),
            config,
            Clock.systemUTC(),
            live,
            () -> false);
    spooling = new Spooling(new Spool(directory), nextProcess);
    nextProcess.listenedToBy(
        new JournalListener() {
          @Override
          public void stored(List<JournalItem> items) {
            items.forEach(item -> spooling.settled(item.log.runId()));
          }

          @Override
          public void dropped(JournalLog log) {
            spooling.settled(log.runId());
          }
        });
  }

  @AfterEach
  void stopIt() {
    nextProcess.close();
  }

  @Test
  void whatAProcessCouldNotStoreIsStoredByTheNext() throws IOException {
    var log = Journals.created(store, "alice");
    Journals.step(log, 0);
    Journals.durable(log);
    keep((JournalLog) log);
    assertThat(files()).isEqualTo(1);

    spooling.drain().await().atMost(PATIENCE);

    assertThat(Journals.streamed(log.runId())).containsExactly(0L, 1L, 2L);
    await().atMost(PATIENCE).until(() -> status(log.runId()).equals("COMPLETED true"));
    await().atMost(PATIENCE).until(() -> files() == 0);
  }

  @Test
  void whatBelongsToSomebodyElseByNowIsNotTouched() throws IOException {
    var log = Journals.created(store, "alice");
    keep((JournalLog) log);
    Journals.execute("UPDATE agent.run SET generation = 2 WHERE id = '%s'".formatted(log.runId()));

    spooling.drain().await().atMost(PATIENCE);

    assertThat(status(log.runId())).startsWith("PLANNING");
    assertThat(Journals.streamed(log.runId())).isEmpty();
    await().atMost(PATIENCE).until(() -> files() == 0);
  }

  @Test
  void anEndThatCannotBeStoredWaitsOnDiskUntilItCan() throws SQLException {
    var log = Journals.created(store, "alice");
    var spool = Path.of(config.dataDir(), "spool");
    try (var connection = PostgresServer.shared().connect();
        var statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("LOCK TABLE agent.run_event IN ACCESS EXCLUSIVE MODE");
      Journals.complete(log);
      await().atMost(PATIENCE).until(() -> kept(spool, log.runId()));
      connection.rollback();
    }

    await().atMost(PATIENCE).until(() -> status(log.runId()).equals("COMPLETED true"));
    await().atMost(PATIENCE).until(() -> !kept(spool, log.runId()));
  }

  // As the process before would have done, with numbers that follow what it had stored.
  private void keep(JournalLog log) {
    var seq = log.live().lastSeq() + 1;
    var item =
        new JournalItem(
            log,
            OffsetDateTime.now(ZoneOffset.UTC),
            new EventType[] {EventType.COMPLETE},
            new String[] {"{\"status\":\"COMPLETED\"}"},
            new long[] {seq},
            new int[] {(int) seq + 1},
            List.of(new Change.End(RunStatus.COMPLETED, "done", null, false)),
            seq + 1,
            (int) seq + 2);
    new Spool(directory).keep(List.of(item));
  }

  private long files() throws IOException {
    try (var all = Files.list(directory)) {
      return all.count();
    }
  }

  private static boolean kept(Path spool, UUID run) throws IOException {
    if (!Files.isDirectory(spool)) {
      return false;
    }
    try (var all = Files.walk(spool)) {
      return all.anyMatch(file -> file.getFileName().toString().equals(run + ".json"));
    }
  }

  private static String status(UUID runId) {
    return String.valueOf(
        Journals.value(
            "SELECT status || ' ' || terminal_persisted FROM agent.run WHERE id = '%s'"
                .formatted(runId)));
  }
}
