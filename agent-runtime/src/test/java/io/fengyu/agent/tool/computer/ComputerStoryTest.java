package io.fengyu.agent.tool.computer;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;

import io.fengyu.contract.testing.PostgresResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.specification.RequestSpecification;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class ComputerStoryTest {

  @AfterEach
  void wanted() {
    wanted(true);
  }

  @Test
  void theToolsAreThereAndSayThatThereIsNoDisplay() {
    as(PostgresResource.ALICE_TOKEN)
        .get("/api/agent/tools")
        .then()
        .body("name", hasItems("computer_screenshot", "computer_key_sequence"))
        .body("name", not(hasItem(startsWith("browser_"))));
    as(PostgresResource.ALICE_TOKEN)
        .body("{\"calls\":[{\"id\":\"c\",\"name\":\"computer_screenshot\",\"arguments\":{}}]}")
        .post("/api/agent/tools/batch")
        .then()
        .statusCode(200)
        .body("results[0].success", equalTo(false))
        .body("results[0].output", equalTo("computer use unavailable: no display"));
  }

  @Test
  void nobodySeesThemWhereTheyAreNotWanted() {
    wanted(false);

    as(PostgresResource.ALICE_TOKEN)
        .get("/api/agent/tools")
        .then()
        .body("name", not(hasItem(startsWith("computer_"))));
  }

  private static void wanted(boolean yes) {
    as(PostgresResource.ADMIN_TOKEN)
        .body("{\"computerUseEnabled\":" + yes + "}")
        .put("/api/settings")
        .then()
        .statusCode(200);
  }

  private static RequestSpecification as(String token) {
    return given().contentType("application/json").header("X-FengYu-Token", token);
  }
}
