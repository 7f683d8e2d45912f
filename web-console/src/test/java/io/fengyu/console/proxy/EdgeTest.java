package io.fengyu.console.proxy;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.MultiMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What the edge answers by itself, and what it makes of identities and origins. */
@QuarkusTest
class EdgeTest extends EdgeScene {

  @Test
  void pagesOfNamedOriginsMayCallAndServicesAreNotAsked() throws Exception {
    var seen = new CompletableFuture<MultiMap>();
    var service =
        service(
            r -> {
              seen.complete(MultiMap.caseInsensitiveMultiMap().addAll(r.headers()));
              r.response().end("done");
            });
    peers(Owner.AGENT, service.address());

    given()
        .header("Origin", "https://page.example")
        .header("Access-Control-Request-Method", "POST")
        .options("/api/agent/run")
        .then()
        .statusCode(204)
        .header("Access-Control-Allow-Origin", "https://page.example");
    assertThat(service.requests()).isZero();
    given()
        .header("Origin", "https://page.example")
        .get("/api/agent/runs")
        .then()
        .statusCode(200)
        .header("Access-Control-Allow-Origin", "https://page.example");
    assertThat(seen.get(5, TimeUnit.SECONDS).contains("Origin")).isFalse();
    given()
        .header("Origin", "https://evil.example")
        .get("/api/nothing")
        .then()
        .statusCode(404)
        .header("Access-Control-Allow-Origin", nullValue());
  }

  @Test
  void theManagementPortTellsOfHealthOnly() {
    var port = management.port().orElseThrow();

    given().port(port).get("/q/health/ready").then().statusCode(200);
    given().port(port).get("/api/health").then().statusCode(404).body("code", equalTo("NOT_FOUND"));
    given().port(port).get("/").then().statusCode(404);
  }

  @Test
  void problemsSpeakTheCallersLanguage() {
    given()
        .urlEncodingEnabled(false)
        .header("Accept-Language", "zh-CN,en;q=0.5")
        .get("/api/nothing")
        .then()
        .statusCode(404)
        .body("title", equalTo("未找到"))
        .body("success", equalTo(false))
        .body("traceId", notNullValue());
  }

  @Test
  void identityHeadersNeverPassAndForwardedOnesAreTheEdgesOwn() throws Exception {
    var seen = new CompletableFuture<MultiMap>();
    peers(
        Owner.AGENT,
        service(
                r -> {
                  seen.complete(MultiMap.caseInsensitiveMultiMap().addAll(r.headers()));
                  r.response().end();
                })
            .address());

    given()
        .header("X-Internal-Secret", SECRET)
        .header("X-User-ID", "alice")
        .header("x-session-id", "s")
        .header("X-RUN-ID", "r")
        .header("X-Agent-ID", "a")
        .header("X-Execution-Generation", "1")
        .header("X-Operation-ID", "o")
        .header("X-Forwarded-For", "203.0.113.9")
        .header("X-Forwarded-Proto", "https")
        .header("Forwarded", "for=203.0.113.9")
        .header("X-Hop", "1")
        .header("Connection", "X-Hop, keep-alive")
        .header("X-FengYu-Token", "tok")
        .header("X-Request-ID", "req-1")
        .get("/api/agent/runs")
        .then()
        .statusCode(200)
        .header("X-Request-ID", "req-1");

    var headers = seen.get(5, TimeUnit.SECONDS);
    assertThat(headers.names().stream().map(String::toLowerCase))
        .doesNotContain(
            "x-internal-secret",
            "x-user-id",
            "x-session-id",
            "x-run-id",
            "x-agent-id",
            "x-execution-generation",
            "x-operation-id",
            "forwarded",
            "x-hop");
    assertThat(headers.get("X-FengYu-Token")).isEqualTo("tok");
    assertThat(headers.get("X-Forwarded-For")).isEqualTo("127.0.0.1");
    assertThat(headers.get("X-Forwarded-Proto")).isEqualTo("http");
    assertThat(headers.get("X-Request-ID")).isEqualTo("req-1");
    assertThat(headers.get("traceparent")).matches("00-[0-9a-f]{32}-[0-9a-f]{16}-01");
  }

  @Test
  void healthNeedsNoService() {
    given().get("/api/health").then().statusCode(200).body("status", equalTo("ok"));
    given().get("/q/health/ready").then().statusCode(200);
    given().get("/q/health/live").then().statusCode(200);
  }

  @Test
  void thePagesWorkWithoutTheInternet() {
    given().get("/").then().statusCode(200).body(containsString("FengYu Server"));
    given().get("/docs").then().statusCode(200).body(containsString("swagger-ui-bundle.js"));
    given().get("/docs/swagger-ui-bundle.js").then().statusCode(200);
    given().get("/docs/swagger-ui.css").then().statusCode(200);
    given().get("/docs/docs.js").then().statusCode(200).body(containsString("/api/openapi.json"));
    given().get("/api/openapi.json").then().statusCode(200).body("openapi", equalTo("3.1.0"));
  }
}
