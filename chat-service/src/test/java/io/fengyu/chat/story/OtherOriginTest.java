package io.fengyu.chat.story;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

@QuarkusTest
class OtherOriginTest {

  private static final String USERS = "/api/admin/users";
  private static final String PAGE = "https://page.example";

  @Test
  void aPageOfANamedOriginMayAskAndThenCallWithItsToken() {
    given()
        .header("Origin", PAGE)
        .header("Access-Control-Request-Method", "DELETE")
        .header("Access-Control-Request-Headers", "x-fengyu-token")
        .options(USERS)
        .then()
        .statusCode(204)
        .header("Access-Control-Allow-Origin", PAGE)
        .header("Access-Control-Allow-Methods", containsString("DELETE"))
        .header("Access-Control-Allow-Headers", containsString("X-FengYu-Token"))
        .header("Access-Control-Allow-Headers", not(containsString("X-Internal-Secret")))
        .header("Access-Control-Allow-Credentials", nullValue())
        .body(equalTo(""));
    As.admin()
        .header("Origin", PAGE)
        .get(USERS)
        .then()
        .statusCode(200)
        .header("Access-Control-Allow-Origin", PAGE)
        .header("Access-Control-Expose-Headers", containsString("X-Request-ID"))
        .header("Vary", containsString("Origin"));
    given()
        .header("Origin", PAGE)
        .get(USERS)
        .then()
        .statusCode(401)
        .header("Access-Control-Allow-Origin", PAGE);
  }

  @Test
  void aPageOfAnyOtherOriginIsToldNothing() {
    given()
        .header("Origin", "https://evil.example")
        .header("Access-Control-Request-Method", "GET")
        .options(USERS)
        .then()
        .statusCode(401)
        .header("Access-Control-Allow-Origin", nullValue());
  }
}
