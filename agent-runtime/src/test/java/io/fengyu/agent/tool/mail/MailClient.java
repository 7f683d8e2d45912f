package io.fengyu.agent.tool.mail;

import static io.restassured.RestAssured.given;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.testing.PostgresResource;
import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import java.time.Duration;
import java.util.UUID;

/** What somebody does who sends mail. JSON is written with single quotes. */
final class MailClient {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String token;
  private final String session = UUID.randomUUID().toString();

  private MailClient(String token) {
    this.token = token;
  }

  static MailClient alice() {
    return new MailClient(PostgresResource.ALICE_TOKEN);
  }

  static MailClient bob() {
    return new MailClient(PostgresResource.BOB_TOKEN);
  }

  ValidatableResponse send(String method, String path, String body) {
    var request = given().header("X-FengYu-Token", token).contentType("application/json");
    return (body.isEmpty() ? request : request.body(body.replace('\'', '"')))
        .request(method, path)
        .then();
  }

  /** Adds something and gives its id. */
  long add(String kind, String body) {
    return send("POST", "/api/mail/" + kind, body)
        .statusCode(201)
        .extract()
        .jsonPath()
        .getLong("id");
  }

  long account(int port) {
    return add(
        "accounts",
        "{'displayName':'报表 Robot','email':'robot@x.example','host':'127.0.0.1','port':"
            + port
            + ",'security':'none'}");
  }

  /** Calls a tool as a conversation does in which nobody is asked. */
  Called call(String tool, String args) {
    return call("full-access", tool, args);
  }

  Called call(String mode, String tool, String args) {
    var body =
        "{'permissionMode':'%s','session_id':'%s','calls':[{'id':'c','name':'%s','arguments':%s}]}"
            .formatted(mode, session, tool, args);
    var result = send("POST", "/api/agent/tools/batch", body).statusCode(200).extract().jsonPath();
    return new Called(
        result.getBoolean("results[0].success"),
        result.getString("results[0].code"),
        result.getString("results[0].output"));
  }

  /**
   * An answer of a tool.
   *
   * @param text in full
   */
  record Called(boolean success, String code, String text) {

    JsonNode json() {
      try {
        return JSON.readTree(text);
      } catch (JsonProcessingException none) {
        throw new AssertionError(text, none);
      }
    }

    String confirmationId() {
      return json().at("/confirmation/confirmationId").asText();
    }

    JsonNode send() {
      return json().path("send");
    }
  }

  void write(String path, String content) {
    var args = JSON.createObjectNode().put("path", path).put("content", content);
    args.put("createDirectories", true);
    var written = call("write_file", args);
    if (!written.success()) {
      throw new AssertionError(written.text());
    }
  }

  Called call(String tool, ObjectNode args) {
    return call(tool, args.toString());
  }

  Called confirm(String id) {
    return call("confirm_send", "{'confirmationId':'" + id + "'}");
  }

  JsonNode status(String id) {
    return call("email_send_status", "{'confirmationId':'" + id + "'}").send();
  }

  String start(String mode, String tool, String args) {
    return send(
            "POST",
            "/api/agent/run",
            "{'goal':'mail','session_id':'%s','config':{'permissionMode':'%s'},'workflow':{'steps':[{'toolName':'%s','args':%s}]}}"
                .formatted(session, mode, tool, args))
        .statusCode(200)
        .extract()
        .path("runId");
  }

  JsonPath run(String id) {
    return send("GET", "/api/agent/runs/" + id, "").statusCode(200).extract().jsonPath();
  }

  JsonPath awaits(String run, String status) {
    return await()
        .atMost(PATIENCE)
        .until(() -> run(run), detail -> status.equals(detail.getString("status")));
  }
}
