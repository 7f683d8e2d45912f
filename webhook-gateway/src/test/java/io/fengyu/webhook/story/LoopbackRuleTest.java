package io.fengyu.webhook.story;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

@QuarkusTest
class LoopbackRuleTest {

  private static final String HOOK = "/api/workflow-hooks/b7d1";

  @Test
  void aCallerFromElsewhereIsRefusedWhateverItClaims() {
    given()
        .header("X-Forwarded-For", "127.0.0.1, 198.51.100.7")
        .post(HOOK)
        .then()
        .statusCode(403)
        .body("code", equalTo("LOOPBACK_ONLY"));
    given().header("X-Forwarded-For", "not-an-address").post(HOOK).then().statusCode(403);
  }

  @Test
  void aCallerOnThisMachineGetsPastTheRule() {
    given().post(HOOK).then().statusCode(401);
    given().header("X-Forwarded-For", "::1").post(HOOK).then().statusCode(401);
  }

  @Test
  void onlyDeliveriesAreMeant() {
    given()
        .header("X-Forwarded-For", "198.51.100.7")
        .header("X-FengYu-Token", "tok-alice")
        .get("/api/agent/webhook-triggers")
        .then()
        .statusCode(200);
    given().header("X-Forwarded-For", "198.51.100.7").get(HOOK).then().statusCode(401);
  }
}
