package io.fengyu.console.proxy;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A replica that accepts requests and answers nothing. */
@QuarkusTest
class HangingReplicaTest extends EdgeScene {

  @Test
  void aReplicaThatHangsIsNotWaitedFor() throws Exception {
    var healthy = service(r -> r.response().end("from the other"));
    try (var hanging = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      peers(Owner.AGENT, address(hanging), healthy.address());

      for (var i = 0; i < 4; i++) {
        given().get("/api/agent/runs").then().statusCode(200).body(equalTo("from the other"));
      }
      for (var i = 0; i < 4; i++) {
        given().body("{}").post("/api/agent/run").then().statusCode(200);
      }
    }
  }

  @Test
  void aWriteThatMetAHangingReplicaIsNotSentAgainAndTheNextOneIsRefusedAtOnce() throws Exception {
    try (var hanging = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      peers(Owner.WORKFLOW, address(hanging));

      given()
          .body("{}")
          .post("/api/workflows")
          .then()
          .statusCode(504)
          .body("code", equalTo("DEPENDENCY_TIMEOUT"));
      given()
          .body("{}")
          .post("/api/workflows")
          .then()
          .statusCode(503)
          .body("code", equalTo("DEPENDENCY_UNAVAILABLE"));
    }
  }

  @Test
  void aReplicaThatWorksLongIsWaitedFor() throws Exception {
    peers(
        Owner.SCHEDULER,
        service(r -> vertx.setTimer(4_000, late -> r.response().end("done"))).address());

    given().body("{}").post("/api/agent/tasks").then().statusCode(200).body(equalTo("done"));
  }

  @Test
  void theStreamOfAHangingReplicaEndsBetweenTwoEvents() throws Exception {
    try (var hanging = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      peers(Owner.AGENT, address(hanging));

      try (var client = new Lines("/api/agent/stream?runId=1");
          var connection = hanging.accept()) {
        var head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
        var out = connection.getOutputStream();
        out.write((head + "id: 0\ndata: first\n\n").getBytes(StandardCharsets.US_ASCII));

        client.expect("data: first");
        client.expect(": draining");
        client.expectEnd();
      }
    }
  }
}
