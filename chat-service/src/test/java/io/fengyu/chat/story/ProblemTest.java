package io.fengyu.chat.story;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

@QuarkusTest
class ProblemTest {

  private static final String USERS = "/api/admin/users";

  @TestHTTPResource("/")
  URI base;

  @Test
  void theBodyHasEveryMember() {
    As.admin()
        .delete(USERS + "/nobody-there")
        .then()
        .statusCode(404)
        .contentType("application/problem+json")
        .body("type", equalTo("urn:fengyu:problem:USER_NOT_FOUND"))
        .body("title", equalTo("User not found"))
        .body("status", equalTo(404))
        .body("detail", equalTo("There is no user nobody-there."))
        .body("instance", equalTo(USERS + "/nobody-there"))
        .body("code", equalTo("USER_NOT_FOUND"))
        .body("params.id", equalTo("nobody-there"))
        .body("traceId", matchesPattern("[0-9a-f]{32}"))
        .body("traceId", not(equalTo("0".repeat(32))))
        .body("success", equalTo(false))
        .body("error", equalTo("There is no user nobody-there."));
  }

  @Test
  void textsFollowTheLanguageOfTheCaller() {
    As.admin()
        .header("Accept-Language", "fr, zh-CN;q=0.8, en;q=0.5")
        .delete(USERS + "/nobody-there")
        .then()
        .body("title", equalTo("未找到用户"))
        .body("code", equalTo("USER_NOT_FOUND"));
    As.admin()
        .header("Accept-Language", "fr")
        .delete(USERS + "/nobody-there")
        .then()
        .body("title", equalTo("User not found"));
  }

  @Test
  void invalidFieldsAreNamedByPointer() {
    As.admin()
        .body("{\"id\":\"not ok!\",\"role\":\"king\"}")
        .post(USERS)
        .then()
        .statusCode(400)
        .body("code", equalTo("INVALID_REQUEST"))
        .body("errors.find { it.pointer == '/id' }.code", equalTo("FORMAT"))
        .body("errors.find { it.pointer == '/role' }.code", equalTo("FORMAT"));
  }

  @Test
  void whatIsNoJsonIsRefused() {
    As.admin()
        .body("{\"id\":")
        .post(USERS)
        .then()
        .statusCode(400)
        .body("code", equalTo("MALFORMED_JSON"));
    As.admin().body("").post(USERS).then().statusCode(400);
  }

  @Test
  void aWrongTypeIsNotConverted() {
    As.admin()
        .body("{\"id\":7}")
        .post(USERS)
        .then()
        .statusCode(400)
        .body("code", equalTo("INVALID_REQUEST"))
        .body("errors[0].pointer", equalTo("/id"))
        .body("errors[0].code", equalTo("WRONG_TYPE"));
  }

  @Test
  void unknownFieldsAreIgnored() {
    As.admin()
        .body("{\"id\":\"ignores-unknown\",\"shoeSize\":43}")
        .post(USERS)
        .then()
        .statusCode(201);
  }

  @Test
  void jsonThatIsNestedTooDeepIsTooLarge() {
    As.admin()
        .body("{\"id\":\"deep\",\"x\":" + "[".repeat(70) + "]".repeat(70) + "}")
        .post(USERS)
        .then()
        .statusCode(413)
        .body("code", equalTo("JSON_TOO_DEEP"));
  }

  @Test
  void aBodyOverOneMebibyteIsRefused() {
    As.admin()
        .body("{\"id\":\"" + "x".repeat(1 << 20) + "\"}")
        .post(USERS)
        .then()
        .statusCode(413)
        .body("code", equalTo("BODY_TOO_LARGE"))
        .body("params.maxBytes", equalTo(1 << 20));
  }

  @Test
  void aLongBodyThatDoesNotSayItsLengthIsRefusedWhileItIsRead() throws IOException {
    try (var socket = new Socket(base.getHost(), base.getPort())) {
      socket.setSoTimeout(10_000);
      var out = socket.getOutputStream();
      out.write(
          ("POST "
                  + USERS
                  + " HTTP/1.1\r\nHost: localhost\r\nX-FengYu-Token: tok-admin\r\n"
                  + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      var chunk = ("10000\r\n" + " ".repeat(0x10000) + "\r\n").getBytes(StandardCharsets.US_ASCII);
      try {
        for (var i = 0; i < 17; i++) {
          out.write(chunk);
        }
      } catch (IOException closedEarly) {
        assertThat(closedEarly).isNotNull();
      }
      assertThat(readUntil(socket, "BODY_TOO_LARGE")).startsWith("HTTP/1.1 413");
    }
  }

  @Test
  void anAddressThatCannotBeDecodedIsAProblem() throws IOException {
    for (var path : List.of("/%", "/%zz", USERS + "/%zz", USERS + "?limit=%")) {
      try (var socket = new Socket(base.getHost(), base.getPort())) {
        socket.setSoTimeout(10_000);
        var request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));

        assertThat(readUntil(socket, "}"))
            .as(path)
            .startsWith("HTTP/1.1 400")
            .contains("application/problem+json", "\"code\":\"BAD_REQUEST\"");
      }
    }
  }

  @Test
  void aPackedBodyIsNotUnpacked() {
    As.admin()
        .header("Content-Encoding", "gzip")
        .body("{}")
        .post(USERS)
        .then()
        .statusCode(415)
        .body("code", equalTo("UNSUPPORTED_MEDIA_TYPE"));
  }

  @Test
  void methodsAndMediaTypesHaveTheirStatus() {
    As.admin().put(USERS).then().statusCode(405).body("code", equalTo("METHOD_NOT_ALLOWED"));
    As.admin()
        .accept("image/png")
        .get(USERS)
        .then()
        .statusCode(406)
        .body("code", equalTo("NOT_ACCEPTABLE"));
    As.admin()
        .contentType("text/plain")
        .body("id")
        .post(USERS)
        .then()
        .statusCode(415)
        .body("code", equalTo("UNSUPPORTED_MEDIA_TYPE"));
  }

  @Test
  void parametersOfTheWrongTypeAreRefused() {
    As.admin()
        .get(USERS + "?limit=0")
        .then()
        .statusCode(400)
        .body("code", equalTo("INVALID_REQUEST"));
    As.admin().delete(USERS + "/x/tokens/no-uuid").then().statusCode(404);
  }

  @Test
  void everyAnswerCarriesItsIdsAndGuards() {
    given()
        .header("X-Request-ID", "abc-1")
        .get("/api/health")
        .then()
        .header("X-Request-ID", "abc-1")
        .header("X-Trace-ID", matchesPattern("[0-9a-f]{32}"))
        .header("X-Content-Type-Options", "nosniff")
        .header("Cache-Control", "no-store");
    given()
        .header("X-Request-ID", "not safe <b>")
        .get("/api/nothing")
        .then()
        .header("X-Request-ID", matchesPattern("[0-9a-f-]{36}"));
  }

  @Test
  void aForeignHostNameIsRefusedOnLoopback() {
    given()
        .header("Host", "evil.example:1234")
        .get("/api/health")
        .then()
        .statusCode(403)
        .body("code", equalTo("HOST_NOT_ALLOWED"));
  }

  private static String readUntil(Socket socket, String expected) throws IOException {
    var answer = new StringBuilder();
    while (answer.indexOf(expected) < 0) {
      var next = socket.getInputStream().read();
      assertThat(next).as(answer.toString()).isNotNegative();
      answer.append((char) next);
    }
    return answer.toString();
  }
}
