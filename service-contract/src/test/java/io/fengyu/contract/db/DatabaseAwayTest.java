package io.fengyu.contract.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.smallrye.mutiny.Uni;
import io.vertx.pgclient.PgException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DatabaseAwayTest {

  private static final Duration LONG = Duration.ofSeconds(10);

  private static PgException answer(String sqlState) {
    return new PgException("told so", "FATAL", sqlState, "");
  }

  @Test
  void aStatementIsSentAgainUntilTheDatabaseIsBack() {
    var sent = new AtomicInteger();
    var absence = List.of(new ConnectException("refused"), answer("57P03"));
    Uni<String> statement =
        Uni.createFrom()
            .deferred(
                () -> {
                  int attempt = sent.getAndIncrement();
                  return attempt < absence.size()
                      ? Uni.createFrom().failure(absence.get(attempt))
                      : Uni.createFrom().item("answer");
                });

    assertThat(DatabaseAway.outwaited(statement, LONG).await().atMost(LONG)).isEqualTo("answer");
    assertThat(sent).hasValue(3);
  }

  @Test
  void aStatementThatTheDatabaseRefusesIsNotSentAgain() {
    var sent = new AtomicInteger();
    Uni<String> statement =
        Uni.createFrom()
            .deferred(
                () -> {
                  sent.incrementAndGet();
                  return Uni.createFrom().failure(answer("23505"));
                });

    assertThatThrownBy(() -> DatabaseAway.outwaited(statement, LONG).await().atMost(LONG))
        .isInstanceOf(PgException.class);
    assertThat(sent).hasValue(1);
  }
}
