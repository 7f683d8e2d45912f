package io.fengyu.chat.story;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;

import io.fengyu.contract.net.Management;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.util.List;
import org.junit.jupiter.api.Test;

@QuarkusTest
class MetricsTest {

  @Inject Management management;

  @Test
  void theManagementPortNeedsNoTokenAndServesNothingElse() {
    for (var path : List.of("/q/metrics", "/actuator/metrics", "/q/health/ready")) {
      watcher().get(path).then().statusCode(200);
    }
    for (var path : List.of("/api/health", "/api/admin/users", "/internal/capabilities", "/")) {
      watcher().get(path).then().statusCode(404).body("code", equalTo("NOT_FOUND"));
    }
  }

  private RequestSpecification watcher() {
    return given()
        .port(management.port().orElseThrow())
        .header("X-FengYu-Token", "tok-admin")
        .header("X-Forwarded-For", "198.51.100.7");
  }

  @Test
  void metricsAreReadByNameFromThisMachine() {
    get("/actuator/metrics").then().statusCode(200).body("names", hasItem("jvm.memory.used"));
    get("/actuator/metrics/jvm.memory.used?tag=area:heap")
        .then()
        .statusCode(200)
        .body("name", equalTo("jvm.memory.used"))
        .body("measurements.statistic", hasItem("VALUE"))
        .body("availableTags.tag", hasItems("area", "id"))
        .body("availableTags.find { it.tag == 'area' }.values", equalTo(java.util.List.of("heap")));
    get("/q/metrics").then().statusCode(200);
  }

  @Test
  void anUnknownMetricIsAProblem() {
    get("/actuator/metrics/none").then().statusCode(404).body("code", equalTo("METRIC_NOT_FOUND"));
  }

  @Test
  void elsewhereNeedsATokenOrGetsNothing() {
    given().header("X-Forwarded-For", "127.0.0.1").get("/actuator/metrics").then().statusCode(401);
    As.alice()
        .header("X-Forwarded-For", "198.51.100.7")
        .get("/actuator/metrics")
        .then()
        .statusCode(200);
    given().header("X-Forwarded-For", "198.51.100.7").get("/q/metrics").then().statusCode(404);
    given().header("X-Forwarded-For", "198.51.100.7").get("/q/health/live").then().statusCode(200);
  }
}
