package io.fengyu.agent.capability;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@QuarkusTest
class CapabilitiesTest {

  private static final String SECRET = "test-internal-secret-0123456789abcdef";

  @Test
  void aServiceThatCannotBeReachedMakesItFalseAndNeverAnError() {
    given()
        .header("X-Internal-Secret", SECRET)
        .contentType("application/json")
        .body(
            Map.of(
                "chat", List.of("http://127.0.0.1:1"),
                "task-scheduler", List.of("http://127.0.0.1:1")))
        .put("/internal/peers")
        .then()
        .statusCode(204);

    given()
        .header("X-FengYu-Token", "tok-alice")
        .get("/api/capabilities")
        .then()
        .statusCode(200)
        .body("size()", equalTo(6))
        .body("sse_replay_v1", equalTo(true))
        .body("edit_latest_turn_v1", equalTo(false))
        .body("job_cancel_v1", equalTo(false));
  }

  @Test
  void othersAreToldWhatThisServiceCanDo() {
    given()
        .header("X-Internal-Secret", SECRET)
        .get("/internal/capabilities")
        .then()
        .statusCode(200)
        .body("sse_replay_v1", equalTo(true));
    given()
        .header("X-FengYu-Token", "tok-admin")
        .get("/internal/capabilities")
        .then()
        .statusCode(401);
  }

  @Test
  void aTicketOpensTheStreamOfARunOnce() {
    String ticket =
        given()
            .header("X-FengYu-Token", "tok-alice")
            .post("/api/agent/stream-ticket")
            .then()
            .statusCode(200)
            .extract()
            .path("ticket");
    var stream = "/api/agent/stream?runId=00000000-0000-0000-0000-000000000000&ticket=" + ticket;

    given().get(stream).then().statusCode(404);
    given().get(stream).then().statusCode(401);
  }
}
