package io.fengyu.agent.file;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasSize;

import io.fengyu.agent.tool.command.Sandbox;
import io.fengyu.contract.testing.PostgresResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

@QuarkusTest
class SessionWorkspaceStoryTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String session = UUID.randomUUID().toString();

  @Inject Sandbox sandbox;

  @Test
  void whatWasUploadedIsWorkedOnPublishedAndDownloaded() {
    assumeThat(sandbox.backend()).isEqualTo(Sandbox.Backend.BUBBLEWRAP);
    var refs =
        as(PostgresResource.ALICE_TOKEN)
            .multiPart("file", "sales.csv", "n,2\ns,3\n".getBytes(StandardCharsets.UTF_8))
            .post("/api/ai/files/upload")
            .asString();

    var run =
        finished(
            "{'toolName':'workspace_run','args':{'command':'cp $UPLOADED/sales.csv out.csv'}},"
                + "{'toolName':'workspace_publish','args':{'path':'out.csv','name':'result.csv'},"
                + "'dependsOn':[0]}",
            "[{\"name\":\"book\",\"refs\":" + refs + "}]");
    Assertions.assertThat(run.getString("status")).as(run.prettify()).isEqualTo("COMPLETED");

    workspace("")
        .statusCode(200)
        .body("files.area", hasItems("uploaded", "derived", "ephemeral"))
        .body("truncated", equalTo(false));
    workspace("?area=Derived")
        .body("files", hasSize(1))
        .body("files[0].path", equalTo("result.csv/1/result.csv"))
        .body("files[0].size", equalTo(8));
    workspace("/uploaded/sales.csv").statusCode(200).body(equalTo("n,2\ns,3\n"));
    workspace("/derived/result.csv/1/result.csv")
        .statusCode(200)
        .header("Content-Disposition", equalTo("attachment; filename*=UTF-8''result.csv"))
        .body(equalTo("n,2\ns,3\n"));
  }

  @Test
  void aCommandThatWritesWhereItMayOnlyReadFails() {
    assumeThat(sandbox.backend()).isEqualTo(Sandbox.Backend.BUBBLEWRAP);

    var run =
        finished(
            "{'toolName':'workspace_run','args':{'command':'echo x > $UPLOADED/new.txt'}}", "[]");

    Assertions.assertThat(run.getString("status")).isEqualTo("FAILED");
    workspace("?area=uploaded").body("files", hasSize(0));
  }

  @Test
  void theWorkspaceOfSomebodyElseLooksLikeOneThatIsEmpty() {
    finished("{'toolName':'write_file','args':{'path':'a.txt','content':'mine'}}", "[]");
    workspace("/ephemeral/a.txt").statusCode(200).body(equalTo("mine"));

    for (var place : new String[] {"", "?area=ephemeral"}) {
      as(PostgresResource.BOB_TOKEN)
          .get("/api/agent/sessions/" + session + "/workspace" + place)
          .then()
          .statusCode(200)
          .body("files", hasSize(0));
    }
    as(PostgresResource.BOB_TOKEN)
        .get("/api/agent/sessions/" + session + "/workspace/ephemeral/a.txt")
        .then()
        .statusCode(404)
        .body("code", equalTo("WORKSPACE_FILE_NOT_FOUND"));
  }

  @Test
  void noPathLeadsOutOfAnArea() {
    finished("{'toolName':'write_file','args':{'path':'a.txt','content':'mine'}}", "[]");

    for (var path :
        new String[] {
          "derived/..%2Fworkspace%2Fa.txt", "ephemeral/%2Fetc%2Fpasswd", "ephemeral/b.txt"
        }) {
      given()
          .urlEncodingEnabled(false)
          .header("X-FengYu-Token", PostgresResource.ALICE_TOKEN)
          .get("/api/agent/sessions/" + session + "/workspace/" + path)
          .then()
          .statusCode(404);
    }
    workspace("?area=other").statusCode(400).body("code", equalTo("WORKSPACE_AREA_UNKNOWN"));
  }

  private ValidatableResponse workspace(String rest) {
    return as(PostgresResource.ALICE_TOKEN)
        .get("/api/agent/sessions/" + session + "/workspace" + rest)
        .then();
  }

  private JsonPath finished(String steps, String files) {
    var body =
        "{'goal':'work','session_id':'"
            + session
            + "','workflow':{'steps':["
            + steps
            + "]},'config':{'permissionMode':'full-access'},'files':";
    String run =
        as(PostgresResource.ALICE_TOKEN)
            .contentType("application/json")
            .body(body.replace('\'', '"') + files + "}")
            .post("/api/agent/run")
            .then()
            .statusCode(200)
            .extract()
            .path("runId");
    return await()
        .atMost(PATIENCE)
        .until(
            () -> as(PostgresResource.ALICE_TOKEN).get("/api/agent/runs/" + run).jsonPath(),
            detail -> Set.of("COMPLETED", "FAILED").contains(detail.getString("status")));
  }

  private static RequestSpecification as(String token) {
    return given().header("X-FengYu-Token", token);
  }
}
