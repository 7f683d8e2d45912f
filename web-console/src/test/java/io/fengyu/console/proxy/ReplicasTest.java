package io.fengyu.console.proxy;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

/** Several replicas of a service, some of them dead. */
@QuarkusTest
class ReplicasTest extends EdgeScene {

  @Test
  void aDeadReplicaIsPassedOver() throws Exception {
    var alive = service(r -> r.response().end("alive"));
    peers(Owner.CHAT, "http://127.0.0.1:" + freePort(), alive.address());

    for (var i = 0; i < 6; i++) {
      given().body("{}").post("/api/ai/send").then().statusCode(200).body(equalTo("alive"));
    }
    assertThat(alive.requests()).isEqualTo(6);
  }

  @Test
  void replicasTakeTurns() throws Exception {
    var one = service(r -> r.response().end());
    var two = service(r -> r.response().end());
    peers(Owner.CHAT, one.address(), two.address());

    for (var i = 0; i < 6; i++) {
      given().get("/api/ai/config").then().statusCode(200);
    }

    assertThat(one.requests()).isEqualTo(3);
    assertThat(two.requests()).isEqualTo(3);
  }

  @Test
  void withoutALiveReplicaTheAnswerNamesTheService() throws Exception {
    peers(Owner.SCHEDULER, "http://127.0.0.1:" + freePort(), "http://127.0.0.1:" + freePort());

    given()
        .get("/api/agent/tasks")
        .then()
        .statusCode(503)
        .header("Retry-After", "1")
        .contentType("application/problem+json")
        .body("code", equalTo("DEPENDENCY_UNAVAILABLE"))
        .body("params.service", equalTo("task-scheduler"));
  }

  @Test
  void aPostThatMayHaveBeenActedUponIsNotSentAgain() throws Exception {
    var one = service(r -> r.connection().close());
    var two = service(r -> r.connection().close());
    peers(Owner.AGENT, one.address(), two.address());

    given()
        .body("{}")
        .post("/api/agent/run")
        .then()
        .statusCode(502)
        .body("code", equalTo("DEPENDENCY_FAILED"));
    assertThat(one.requests() + two.requests()).isEqualTo(1);
  }

  @Test
  void aReadIsAskedAgainElsewhere() throws Exception {
    var dying = service(r -> r.connection().close());
    var alive = service(r -> r.response().end("alive"));
    peers(Owner.AGENT, dying.address(), alive.address());

    for (var i = 0; i < 2; i++) {
      given().get("/api/agent/runs").then().statusCode(200).body(equalTo("alive"));
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
