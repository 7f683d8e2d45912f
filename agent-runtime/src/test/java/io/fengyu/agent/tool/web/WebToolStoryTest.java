package io.fengyu.agent.tool.web;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import io.fengyu.contract.testing.PostgresResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class WebToolStoryTest {

  private static final String RULES = "/api/settings/permission-rules";

  @AfterEach
  void noRules() {
    alice().body("{\"allow\":[],\"ask\":[],\"deny\":[]}").put(RULES).then().statusCode(200);
  }

  @Test
  void bothToolsOnlyReadAndAreThereForEverybody() {
    alice()
        .get("/api/agent/tools")
        .then()
        .body("find { it.name == 'web_fetch' }.effect", equalTo("read"))
        .body("find { it.name == 'web_search' }.effect", equalTo("read"));
  }

  @Test
  void theWebIsReadWithoutAskingButNothingOfThisMachine() {
    batch("web_fetch", "{\"url\":\"http://localhost:8082/q/health\"}")
        .body("results[0].success", equalTo(false))
        .body("results[0].output", containsString("private or local address refused"));
    batch("web_search", "{\"query\":\"http://169.254.169.254/latest/\"}")
        .body("results[0].success", equalTo(false))
        .body("results[0].output", containsString("private or local address refused"));
  }

  @Test
  void aDeniedDomainIsNotEvenLookedUp() {
    alice()
        .body("{\"allow\":[],\"ask\":[],\"deny\":[\"WebFetch(domain:example.com)\"]}")
        .put(RULES)
        .then()
        .statusCode(200);

    batch("web_fetch", "{\"url\":\"https://www.example.com/\"}")
        .body("results[0].success", equalTo(false))
        .body("results[0].output", containsString("WebFetch(domain:example.com)"));
  }

  private static ValidatableResponse batch(String tool, String args) {
    return alice()
        .body(
            "{\"permissionMode\":\"ask-for-approval\",\"calls\":[{\"id\":\"c1\",\"name\":\""
                + tool
                + "\",\"arguments\":"
                + args
                + "}]}")
        .post("/api/agent/tools/batch")
        .then()
        .statusCode(200);
  }

  private static RequestSpecification alice() {
    return given()
        .contentType("application/json")
        .header("X-FengYu-Token", PostgresResource.ALICE_TOKEN);
  }
}
