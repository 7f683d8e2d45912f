package io.fengyu.agent.tool.excel;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fengyu.contract.testing.PostgresResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.specification.RequestSpecification;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.poi.xssf.usermodel.XSSFWorkbook;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@QuarkusTest
class SplitStoryTest {

  @Test
  void anUploadedWorkbookComesBackAsOneFilePerRegion(@TempDir Path folder) throws Exception {
    var run = finished(start(folder, ""));

    assertThat(run.getString("status")).as(run.prettify()).isEqualTo("COMPLETED");
    assertThat(run.getString("executions[2].result")).contains("\"count\":5");
    assertThat(rowsOfAllFiles(run.getString("id"), "output/fan.summer.excel/")).isEqualTo(1_000);
  }

  @Test
  void theFilesOfASharedDirectoryCanBeFetchedToo(@TempDir Path folder) throws Exception {
    var run = finished(start(folder, "\"outputDir\":\"@file:out\",\"filePrefix\":\"Region \""));

    assertThat(run.getString("status")).as(run.prettify()).isEqualTo("COMPLETED");
    assertThat(rowsOfAllFiles(run.getString("id"), "shared/out/Region ")).isEqualTo(1_000);
  }

  @Test
  void aTextFileNamedLikeAWorkbookFailsTheRunWithTheReason(@TempDir Path folder) throws Exception {
    var text = Files.writeString(folder.resolve("book.xlsx"), "Region,Amount\n".repeat(20));

    var run = finished(start("", upload(text)));

    assertThat(run.getString("status")).isEqualTo("FAILED");
    assertThat(run.getString("error")).contains("no Excel workbook");
  }

  private static String start(Path folder, String outputArgs) {
    var book = Workbooks.sales(folder.resolve("sales.xlsx"), 1_000);
    return start(outputArgs, upload(book));
  }

  private static String start(String outputArgs, String refs) {
    return alice()
        .contentType("application/json")
        .body(
            """
            {"goal":"Split by region","config":{"permissionMode":"full-access"},
             "workflow":{"steps":[
               {"toolName":"excel_configure","args":{"mode":"BY_COLUMN","filePath":"@file:book",
                  "splitColumn":"Region"},"dependsOn":[]},
               {"toolName":"excel_execute","args":{%s},"dependsOn":[0]},
               {"toolName":"echo","args":{"count":"{{steps.1.result.files.fileCount}}",
                  "first":"{{steps.1.result.files.files[0]}}"},"dependsOn":[1]}]},
             "files":[{"name":"book","refs":%s},{"name":"out","createSharedDirectory":true}]}"""
                .formatted(outputArgs, refs))
        .post("/api/agent/run")
        .then()
        .statusCode(200)
        .extract()
        .path("runId");
  }

  private static String upload(Path file) {
    return alice()
        .multiPart("file", file.toFile())
        .post("/api/ai/files/upload")
        .then()
        .statusCode(200)
        .extract()
        .asString();
  }

  private static JsonPath finished(String runId) {
    return await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> alice().get("/api/agent/runs/" + runId).jsonPath(),
            run -> run.get("completedAt") != null);
  }

  private static int rowsOfAllFiles(String runId, String place) throws IOException {
    var files = alice().get("/api/agent/runs/" + runId + "/files").jsonPath();
    assertThat(files.getList("path", String.class)).hasSize(5).allMatch(p -> p.startsWith(place));
    int rows = 0;
    for (var path : files.getList("path", String.class)) {
      var bytes = alice().get("/api/agent/runs/{run}/files/{path}", runId, path).asByteArray();
      try (var book = new XSSFWorkbook(new ByteArrayInputStream(bytes))) {
        rows += book.getSheetAt(0).getLastRowNum() - 1;
      }
    }
    return rows;
  }

  private static RequestSpecification alice() {
    return given().header("X-FengYu-Token", PostgresResource.ALICE_TOKEN);
  }
}
