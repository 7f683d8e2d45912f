package io.fengyu.chat.story;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

@QuarkusTest
class AuthenticationTest {

  @Test
  void nothingIsAnsweredWithoutAToken() {
    given().get("/api/ai/whatever").then().statusCode(401).body("code", equalTo("UNAUTHENTICATED"));
  }

  @Test
  void anUnknownPathIsAProblem() {
    given()
        .header("X-FengYu-Token", "tok-alice")
        .get("/api/ai/whatever")
        .then()
        .statusCode(404)
        .contentType("application/problem+json")
        .body("code", equalTo("NOT_FOUND"));
  }
}
