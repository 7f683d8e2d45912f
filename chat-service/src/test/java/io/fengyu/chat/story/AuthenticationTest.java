package io.fengyu.chat.story;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;

import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import org.junit.jupiter.api.Test;

@QuarkusTest
class AuthenticationTest {

  @Test
  void nothingIsAnsweredWithoutAToken() {
    given().get("/api/ai/nothing").then().statusCode(401).body("code", equalTo("UNAUTHENTICATED"));
    As.token("wrong").get("/api/ai/nothing").then().statusCode(401);
    As.token("tok-alic").get("/api/ai/nothing").then().statusCode(401);
    As.token("").get("/api/ai/nothing").then().statusCode(401);
    As.alice().get("/api/ai/nothing").then().statusCode(404);
  }

  @Test
  void noSpellingOfAPathGetsAround() {
    for (var path :
        List.of(
            "/api;x=1/admin/users",
            "//api/admin/users",
            "/./api/admin/users",
            "/q/../api/admin/users",
            "/api/health/../admin/users",
            "/internal;x=1/peers",
            "/%61pi/admin/users",
            "/api/admin;a=b/users")) {
      given()
          .urlEncodingEnabled(false)
          .get(path)
          .then()
          .statusCode(org.hamcrest.Matchers.oneOf(401, 404));
      As.alice()
          .urlEncodingEnabled(false)
          .get(path)
          .then()
          .statusCode(org.hamcrest.Matchers.oneOf(401, 403, 404));
    }
  }

  @Test
  void internalPathsRefuseUsersAndAcceptServices() {
    As.admin()
        .body("{}")
        .put("/internal/peers")
        .then()
        .statusCode(401)
        .body("code", equalTo("INTERNAL_UNAUTHENTICATED"));
    given()
        .header("X-Internal-Secret", "wrong")
        .body("{}")
        .put("/internal/peers")
        .then()
        .statusCode(401);
    As.service().body("{}").put("/internal/peers").then().statusCode(204);
  }

  @Test
  void identityHeadersCountOnlyWithTheSecret() {
    As.alice().header("X-User-ID", "default").get("/api/admin/users").then().statusCode(403);
  }

  @Test
  void theStreamOfChatTakesNoTokenInItsQuery() {
    given().get("/api/ai/stream?token=tok-alice").then().statusCode(401);
    given()
        .get("/api/agent/stream?token=tok-alice")
        .then()
        .statusCode(404)
        .body(not(containsString("tok-alice")));
    given().get("/api/agent/runs?token=tok-alice").then().statusCode(401);
    As.token("wrong").get("/api/agent/stream?token=tok-alice").then().statusCode(401);
  }

  @Test
  void aTicketOpensOneStreamOnce() {
    String ticket =
        As.alice().post("/api/ai/stream-ticket").then().statusCode(200).extract().path("ticket");

    given().get("/api/agent/stream?ticket=" + ticket).then().statusCode(401);
    given().get("/api/ai/stream?ticket=" + ticket).then().statusCode(404);
    given().get("/api/ai/stream?ticket=" + ticket).then().statusCode(401);
  }

  @Test
  void guessingIsSlowedDownButAValidTokenStillWorks() {
    var guesser = given().header("X-Forwarded-For", "198.51.100.7");
    for (var i = 0; i < 100; i++) {
      guesser.get("/api/ai/nothing").then().statusCode(401);
    }

    guesser
        .get("/api/ai/nothing")
        .then()
        .statusCode(429)
        .header("Retry-After", not(equalTo(null)))
        .body("code", equalTo("RATE_LIMITED"))
        .body("retryable", equalTo(true));
    As.alice()
        .header("X-Forwarded-For", "198.51.100.7")
        .get("/api/ai/nothing")
        .then()
        .statusCode(404);
  }
}
