package io.fengyu.console.proxy;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which service a request reaches, and which it never does. */
@QuarkusTest
class RoutingTest extends EdgeScene {

  @Test
  void eachPathReachesItsOwner() throws Exception {
    for (var owner : Owner.values()) {
      peers(owner, service(r -> r.response().end(owner.service())).address());
    }

    reaches("/api/ai/config", "chat-service");
    reaches("/api/ai/files/1", "agent-runtime");
    reaches("/api/ai/filesystem", "chat-service");
    reaches("/api/admin/users", "chat-service");
    reaches("/api/agent", "agent-runtime");
    reaches("/api/agent/tasks/7/output", "task-scheduler");
    reaches("/api/agent/tasks", "task-scheduler");
    reaches("/api/agent/taskset", "agent-runtime");
    reaches("/api/agent/webhook-triggers", "webhook-gateway");
    reaches("/api/workflow-hooks/abc", "webhook-gateway");
    reaches("/api/workflows/1/run?x=1", "workflow-service");
    reaches("/api/workflow-templates", "workflow-service");
  }

  @Test
  void aPathWithoutOwnerIsAProblem() throws Exception {
    var service = service(r -> r.response().end("reached"));
    peers(Owner.AGENT, service.address());

    for (var path :
        List.of(
            "/api/nothing",
            "/nothing",
            "/internal/runs",
            "/q/metrics",
            "/api/agent/../../internal/peers",
            "/api/agent/%2e%2e/%2e%2e/internal/runs",
            "/api/agent/..//../q/metrics")) {
      assertThat(raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
          .as(path)
          .startsWith("HTTP/1.1 404")
          .contains("application/problem+json")
          .contains("\"code\":\"NOT_FOUND\"");
    }
    assertThat(service.requests()).isZero();
  }

  @Test
  void anAddressOrHeadersThatAreTooLongAndAMissingHostAreProblems() throws Exception {
    var end = " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";

    assertThat(raw("GET /api/agent/runs?q=" + "x".repeat(9000) + end + "\r\n"))
        .startsWith("HTTP/1.1 414")
        .contains("application/problem+json", "\"code\":\"URL_TOO_LONG\"");
    assertThat(raw("GET /api/agent/runs" + end + "X-A: " + "x".repeat(17_000) + "\r\n\r\n"))
        .startsWith("HTTP/1.1 431")
        .contains("application/problem+json", "\"code\":\"HEADERS_TOO_LARGE\"");
    assertThat(raw("GET /api/agent/runs HTTP/1.1\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 400")
        .contains("application/problem+json", "\"code\":\"BAD_REQUEST\"");
  }

  @Test
  void anAddressThatCannotBeDecodedIsAProblem() throws Exception {
    var service = service(r -> r.response().end("reached"));
    peers(Owner.AGENT, service.address());

    for (var path :
        List.of("/%", "/%zz", "/api/agent/%zz", "/api/agent/runs?q=%", "/api/agent/a|b")) {
      assertThat(raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
          .as(path)
          .startsWith("HTTP/1.1 400")
          .contains("application/problem+json", "\"code\":\"BAD_REQUEST\"");
    }
    assertThat(service.requests()).isZero();
  }

  @Test
  void strangersCannotChangeAddresses() {
    given()
        .header("X-Internal-Secret", "wrong")
        .body("{\"agent\":[\"http://127.0.0.1:1\"]}")
        .put("/internal/peers")
        .then()
        .statusCode(401)
        .body("code", equalTo("INTERNAL_UNAUTHENTICATED"));
  }

  @Test
  void badAddressesChangeNothing() throws Exception {
    peers(Owner.CHAT, service(r -> r.response().end("still here")).address());

    given()
        .header("X-Internal-Secret", SECRET)
        .body("{\"chat\":[\"ftp://nowhere\"]}")
        .put("/internal/peers")
        .then()
        .statusCode(400)
        .body("code", equalTo("INVALID_PEERS"));

    reaches("/api/ai/config", "still here");
  }

  @Test
  void aForeignHostNameIsRefused() throws Exception {
    assertThat(raw("GET /api/health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 403")
        .contains("HOST_NOT_ALLOWED");
  }

  private static void reaches(String path, String who) {
    given().get(path).then().statusCode(200).body(equalTo(who));
  }
}
