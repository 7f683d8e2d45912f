package io.fengyu.chat.story;

import static io.restassured.RestAssured.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;

import io.fengyu.contract.testing.PostgresServer;
import io.quarkus.test.junit.QuarkusTest;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

@QuarkusTest
class ReadinessTest {

  private static final Duration SOON = Duration.ofSeconds(10);

  @Test
  void healthAsksNobody() {
    get("/api/health").then().statusCode(200).body("status", equalTo("ok"));
  }

  @Test
  void aServiceWithItsDatabaseIsReady() {
    awaitReady();
  }

  @Test
  void aLostConnectionForNotificationsComesBackByItself() throws SQLException {
    awaitReady();

    var killed = listeners("pg_terminate_backend(pid)");

    await().atMost(SOON).until(() -> !listeners("true").isEmpty());
    assertThat(listeners("true")).doesNotContainAnyElementsOf(killed);
    awaitReady();
  }

  private static void awaitReady() {
    await().atMost(SOON).untilAsserted(() -> get("/q/health/ready").then().statusCode(200));
  }

  private static Set<Integer> listeners(String condition) throws SQLException {
    try (var connection = PostgresServer.shared().connect();
        var statement = connection.createStatement();
        var found =
            statement.executeQuery(
                "WITH listener AS MATERIALIZED (SELECT pid FROM pg_stat_activity"
                    + " WHERE application_name = 'chat-service-listener')"
                    + " SELECT pid FROM listener WHERE "
                    + condition)) {
      var pids = new HashSet<Integer>();
      while (found.next()) {
        pids.add(found.getInt(1));
      }
      return pids;
    }
  }
}
