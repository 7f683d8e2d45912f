package io.fengyu.agent.file;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fengyu.contract.problem.ProblemException;
import io.fengyu.contract.testing.PostgresResource;
import io.fengyu.contract.testing.PostgresServer;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

@QuarkusTest
class FileStoryTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String EXCEL = "fan.summer.excel";
  private static final ObjectMapper JSON = new ObjectMapper();

  @Inject RunFiles runFiles;
  @Inject Layout layout;
  @Inject FileSweep sweep;

  @ConfigProperty(name = "quarkus.http.test-port")
  int port;

  @Test
  void theCatalogTellsEverythingAboutATool() {
    alice()
        .get("/api/agent/tools")
        .then()
        .statusCode(200)
        .body("name", hasItems("echo", "json_format", "excel_execute"))
        .body("find { it.name == 'excel_execute' }.effect", equalTo("write"))
        .body("find { it.name == 'excel_execute' }.retrySafe", equalTo(false))
        .body("find { it.name == 'excel_execute' }.idempotent", equalTo(false))
        .body("find { it.name == 'excel_execute' }.id", equalTo(EXCEL + ":excel_execute"))
        .body("find { it.name == 'excel_execute' }.pluginId", equalTo(EXCEL))
        .body("find { it.name == 'excel_execute' }.inputSchema.type", equalTo("object"))
        .body(
            "find { it.name == 'excel_execute' }.resources.writes", equalTo(List.of("output_dir")))
        .body("find { it.name == 'excel_execute' }.localizedDescription", nullValue())
        .body("find { it.name == 'echo' }.pluginId", nullValue())
        .body("find { it.name == 'echo' }.retrySafe", equalTo(true));
  }

  @Test
  void theCatalogSpeaksTheCallersLanguageButNotToModels() {
    alice()
        .header("Accept-Language", "zh-CN,zh;q=0.9")
        .get("/api/agent/tools")
        .then()
        .body("find { it.name == 'echo' }.localizedDescription", containsString("JSON 对象"))
        .body("find { it.name == 'echo' }.flowNode.label", equalTo("回显"))
        .body("find { it.name == 'echo' }.description", containsString("Returns its arguments"));
  }

  @Test
  void theCatalogNeedsAToken() {
    given().get("/api/agent/tools").then().statusCode(401);
  }

  @Test
  void anUploadedFileCanBeGivenToARun() throws IOException {
    var granted = upload("../../etc/Book.xlsx", "hello");

    assertThat(granted.at("/0/pluginId").asText()).isEqualTo(EXCEL);
    assertThat(granted.at("/0/ref/id").asText()).startsWith("ref_");
    assertThat(granted.at("/0/ref/name").asText()).isEqualTo("Book.xlsx");
    assertThat(granted.at("/0/ref/kind").asText()).isEqualTo("file");
    assertThat(granted.at("/0/ref/access").asText()).isEqualTo("read");
    assertThat(granted.at("/0/ref/size").asLong()).isEqualTo(5);

    var run = UUID.randomUUID();
    grant("alice", run, "[{\"name\":\"book\",\"refs\":" + granted + "}]");

    var places = open("alice", run);
    assertThat(places.granted("book", EXCEL)).hasContent("hello");
    assertThat(places.granted("book", null)).hasContent("hello");
    assertThat(places.granted("book", "somebody.else")).isNull();
    assertThat(places.granted("other", EXCEL)).isNull();
    assertThat(places.access(EXCEL).readable()).hasSize(1);
    assertThat(places.access(EXCEL).writable()).isEmpty();
  }

  @Test
  void anUploadMayBeLongerThanOtherBodies() {
    var granted = upload("long.bin", "x".repeat(5 << 20));

    assertThat(granted.at("/0/ref/size").asLong()).isEqualTo(5 << 20);
  }

  @Test
  void aBodyThatEndsTooEarlyOrIsNoMultipartIsRefusedAtOnce() {
    for (var body :
        List.of(
            "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\nabc",
            "--B\r\nContent-Disposition: x\r\n\r\nabc\r\n--B--\r\n")) {
      alice()
          .contentType("multipart/form-data; boundary=B")
          .body(body.getBytes(StandardCharsets.UTF_8))
          .post("/api/ai/files/upload")
          .then()
          .statusCode(400)
          .body("code", equalTo("UPLOAD_INVALID"));
    }
  }

  @Test
  void aReferenceIsGoodForItsOwnerAndPluginOnly() throws IOException {
    var granted = upload("a.txt", "a");
    var forged = granted.toString().replace(EXCEL, "another.plugin");

    assertRefused("bob", "[{\"name\":\"f\",\"refs\":" + granted + "}]");
    assertRefused("alice", "[{\"name\":\"f\",\"refs\":" + forged + "}]");
  }

  @Test
  void aRevokedReferenceIsNoLongerGood() throws IOException {
    var granted = upload("a.txt", "a");
    var body =
        "{\"pluginId\":\"" + EXCEL + "\",\"refId\":\"" + granted.at("/0/ref/id").asText() + "\"}";

    as(PostgresResource.BOB_TOKEN)
        .contentType("application/json")
        .body(body)
        .post("/api/ai/files/revoke")
        .then()
        .statusCode(404);
    alice()
        .contentType("application/json")
        .body(body)
        .post("/api/ai/files/revoke")
        .then()
        .statusCode(200);

    assertRefused("alice", "[{\"name\":\"f\",\"refs\":" + granted + "}]");
  }

  @Test
  void aReferenceEndsWithTheProcessThatMadeIt() throws Exception {
    var granted = upload("a.txt", "a");
    sql(
        "UPDATE agent.file_grant SET instance = gen_random_uuid() WHERE id = '"
            + granted.at("/0/ref/id").asText()
            + "'");

    assertRefused("alice", "[{\"name\":\"f\",\"refs\":" + granted + "}]");
  }

  @Test
  void wrongEntriesAreRefusedAndLeaveNothing() throws Exception {
    for (var files :
        List.of(
            "{}",
            "[{\"name\":\"bad name\",\"createSharedDirectory\":true}]",
            "[{\"name\":\"x\"}]",
            "[{\"name\":\"x\",\"createSharedDirectory\":true,\"nativePath\":\"/etc/passwd\"}]",
            "[{\"name\":\"x\",\"createSharedDirectory\":true},{\"name\":\"x\",\"createSharedDirectory\":true}]",
            "[{\"name\":\"x\",\"nativePath\":\"/etc/passwd\"}]",
            "[{\"name\":\"x\",\"refs\":[]}]",
            "[{\"name\":\"ok\",\"createSharedDirectory\":true},{\"name\":\"x\",\"refs\":[{\"pluginId\":\"p\",\"ref\":{\"id\":\"ref_0\"}}]}]")) {
      var run = assertRefused("alice", files);
      assertThat(open("alice", run).granted("ok", EXCEL)).isNull();
      assertThat(layout.run(run)).doesNotExist();
    }
  }

  @Test
  void aSharedDirectoryIsOneForAllProviders() {
    var run = UUID.randomUUID();
    grant("alice", run, "[{\"name\":\"out\",\"createSharedDirectory\":true}]");

    var places = open("alice", run);

    assertThat(places.granted("out", EXCEL)).isDirectory().isEqualTo(places.granted("out", null));
    assertThat(places.access(EXCEL).writable()).containsExactly(places.granted("out", EXCEL));
  }

  @Test
  void aDirectoryKeepsItsPaths() throws IOException {
    var granted =
        json(
            alice()
                .multiPart("files", "x", "one".getBytes(StandardCharsets.UTF_8))
                .multiPart("files", "x", "two".getBytes(StandardCharsets.UTF_8))
                .multiPart("paths", "project/a.txt")
                .multiPart("paths", "project/src/a.txt")
                .multiPart("writable", "true")
                .post("/api/ai/files/upload-directory"));
    assertThat(granted.at("/0/ref/kind").asText()).isEqualTo("directory");
    assertThat(granted.at("/0/ref/access").asText()).isEqualTo("read-write");
    assertThat(granted.at("/0/ref/name").asText()).isEqualTo("project");
    var run = UUID.randomUUID();

    grant("alice", run, "[{\"name\":\"d\",\"refs\":" + granted + "}]");

    var directory = open("alice", run).access(EXCEL).writable().getFirst();
    assertThat(directory).isEqualTo(open("alice", run).granted("d", EXCEL));
    assertThat(directory.resolve("src/a.txt")).hasContent("two");
  }

  @Test
  void aDirectoryCannotReachOutOfItself() {
    for (var path :
        List.of("../a.txt", "/etc/a.txt", "a/../../b", "a//b", "a/./b", "c:\\x", "..")) {
      alice()
          .multiPart("files", "x", new byte[1])
          .multiPart("paths", path)
          .post("/api/ai/files/upload-directory")
          .then()
          .statusCode(400)
          .body("code", equalTo("UPLOAD_INVALID"));
    }
  }

  @Test
  void bodiesThatAreNoUploadAreRefused() {
    alice()
        .contentType("application/json")
        .body("{}")
        .post("/api/ai/files/upload")
        .then()
        .statusCode(400)
        .body("code", equalTo("UPLOAD_INVALID"));
    alice()
        .multiPart("note", "no file here")
        .post("/api/ai/files/upload")
        .then()
        .statusCode(400)
        .body("code", equalTo("UPLOAD_INVALID"));
  }

  @Test
  void aFileThatIsTooLongIsGivenUpWhileItIsRead() throws Exception {
    var before = uploadFolders();

    var answer = sendEndless();

    assertThat(answer).contains("413").contains("UPLOAD_TOO_LARGE");
    assertThat(uploadFolders()).isEqualTo(before);
  }

  // A chunked body, so that nothing about its length is known beforehand.
  private String sendEndless() throws IOException {
    try (var socket = new Socket("localhost", port)) {
      socket.setSoTimeout(20_000);
      var out = socket.getOutputStream();
      out.write(
          ("POST /api/ai/files/upload HTTP/1.1\r\nHost: localhost\r\nX-FengYu-Token: "
                  + PostgresResource.ALICE_TOKEN
                  + "\r\nTransfer-Encoding: chunked\r\n"
                  + "Content-Type: multipart/form-data; boundary=b\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      chunk(
          out,
          "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"big\"\r\nContent-Type: application/octet-stream\r\n\r\n");
      var megabyte = "x".repeat(1 << 20);
      try {
        for (int i = 0; i < 110; i++) {
          chunk(out, megabyte);
        }
      } catch (IOException closed) {
        // The server has had enough; its answer may still be read.
      }
      return answer(socket.getInputStream());
    }
  }

  private static void chunk(java.io.OutputStream out, String text) throws IOException {
    out.write(
        (Integer.toHexString(text.length()) + "\r\n" + text + "\r\n")
            .getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  private static String answer(InputStream in) {
    var answer = new StringBuilder();
    try {
      var bytes = new byte[4096];
      for (int read = in.read(bytes);
          read > 0 && !answer.toString().contains("}");
          read = in.read(bytes)) {
        answer.append(new String(bytes, 0, read, StandardCharsets.UTF_8));
      }
    } catch (IOException reset) {
      // What came before the connection ended is the answer.
    }
    return answer.toString();
  }

  @Test
  void nativePathsAreRefusedWithoutARoot() {
    alice()
        .contentType("application/json")
        .body("{\"path\":\"/etc/passwd\",\"kind\":\"file\"}")
        .post("/api/ai/files/native")
        .then()
        .statusCode(400)
        .body("code", equalTo("NATIVE_FILE_REFUSED"));
  }

  @Test
  void whatAStepWroteCanBeFetchedByItsOwner() throws Exception {
    var run = run("alice");
    var places = open("alice", run);
    var file = Files.createDirectories(places.outputDir(EXCEL)).resolve("华东 1.xlsx");
    Files.writeString(file, "rows");
    wrote(run, 3, file);
    wrote(run, 3, Files.writeString(places.outputDir(EXCEL).resolve("x"), ""));
    assertThat(runFiles.made(run, 3, Path.of("/etc/passwd"))).isEmpty();

    alice()
        .get("/api/agent/runs/" + run + "/files")
        .then()
        .statusCode(200)
        .body("", hasSize(2))
        .body("find { it.size == 4 }.path", equalTo("output/" + EXCEL + "/华东 1.xlsx"))
        .body("find { it.size == 4 }.step", equalTo(3))
        .body("createdAt", everyItem(matchesPattern("[-0-9]{10}T[:0-9]{8}\\.\\d{3}Z")));
    var fetched =
        alice().get("/api/agent/runs/{run}/files/{path}", run, "output/" + EXCEL + "/华东 1.xlsx");

    assertThat(fetched.statusCode()).isEqualTo(200);
    assertThat(fetched.asString()).isEqualTo("rows");
    assertThat(fetched.header("Content-Disposition"))
        .startsWith("attachment")
        .contains("%E5%8D%8E");
    assertThat(fetched.headers().getValues("X-Content-Type-Options")).containsExactly("nosniff");
  }

  @Test
  void othersAndUnlistedPathsGetNothing() throws Exception {
    var run = run("alice");
    var file = Files.createDirectories(open("alice", run).workspace()).resolve("secret.txt");
    Files.writeString(file, "s");

    as(PostgresResource.BOB_TOKEN)
        .get("/api/agent/runs/" + run + "/files")
        .then()
        .statusCode(404)
        .body("code", equalTo("RUN_NOT_FOUND"));
    alice().get("/api/agent/runs/" + run + "/files").then().statusCode(200).body("", hasSize(0));
    alice()
        .get("/api/agent/runs/" + run + "/files/workspace/secret.txt")
        .then()
        .statusCode(404)
        .body("code", equalTo("FILE_NOT_FOUND"));
    alice().get("/api/agent/runs/" + UUID.randomUUID() + "/files").then().statusCode(404);
  }

  @Test
  void aListedFileThatBecameALinkIsNotFollowedOut() throws Exception {
    var run = run("alice");
    var file = Files.createDirectories(open("alice", run).workspace()).resolve("a.txt");
    Files.writeString(file, "s");
    wrote(run, 0, file);
    Files.delete(file);
    Files.createSymbolicLink(file, Path.of("/etc/passwd"));

    alice().get("/api/agent/runs/" + run + "/files/workspace/a.txt").then().statusCode(404);
  }

  @Test
  void theSweepEndsGrantsTenMinutesAfterTheRunAndKeepsWhatIsInUse() throws Exception {
    var over = run("alice");
    var live = run("alice");
    grant("alice", over, "[{\"name\":\"o\",\"createSharedDirectory\":true}]");
    grant("alice", live, "[{\"name\":\"o\",\"createSharedDirectory\":true}]");
    sql(
        "UPDATE agent.run SET status = 'COMPLETED', executor = NULL, completed_at = now() - interval '11 minutes' WHERE id = '"
            + over
            + "'");

    sweep.sweep().await().atMost(PATIENCE);

    assertThat(open("alice", over).granted("o", EXCEL)).isNull();
    assertThat(open("alice", live).granted("o", EXCEL)).isNotNull();
  }

  @Test
  void theSweepRemovesUploadsThatNobodyHolds() throws Exception {
    var kept = upload("kept.txt", "k");
    var lost = upload("lost.txt", "l");
    var run = UUID.randomUUID();
    grant("alice", run, "[{\"name\":\"f\",\"refs\":" + kept + "}]");
    for (var folder : uploadFolders()) {
      Files.setLastModifiedTime(
          folder,
          java.nio.file.attribute.FileTime.from(
              java.time.Instant.now().minus(Duration.ofHours(2))));
    }
    for (var granted : List.of(lost, kept)) {
      for (var one : granted) {
        sql("DELETE FROM agent.file_grant WHERE id = '" + one.at("/ref/id").asText() + "'");
      }
    }

    sweep.sweep().await().atMost(PATIENCE);

    assertThat(open("alice", run).granted("f", EXCEL)).hasContent("k");
    assertThat(contents()).contains("kept.txt").doesNotContain("lost.txt");
  }

  private List<String> contents() throws IOException {
    try (var all = Files.walk(layout.uploads())) {
      return all.map(file -> file.getFileName().toString()).toList();
    }
  }

  private List<Path> uploadFolders() throws IOException {
    Files.createDirectories(layout.uploads());
    try (var all = Files.list(layout.uploads())) {
      return all.sorted().toList();
    }
  }

  private UUID assertRefused(String owner, String files) {
    var run = UUID.randomUUID();
    assertThatThrownBy(() -> grant(owner, run, files))
        .as(files)
        .isInstanceOfSatisfying(
            ProblemException.class,
            refused -> assertThat(refused.problem().code()).isEqualTo("RUN_FILE_INVALID"));
    return run;
  }

  private void grant(String owner, UUID run, String files) {
    runFiles.grant(owner, run, json(files)).await().atMost(PATIENCE);
  }

  private RunFiles.RunPlaces open(String owner, UUID run) {
    return runFiles.open(owner, run, run, null).await().atMost(PATIENCE);
  }

  private JsonNode upload(String name, String content) {
    return json(
        alice()
            .multiPart("file", name, content.getBytes(StandardCharsets.UTF_8))
            .post("/api/ai/files/upload"));
  }

  private static UUID run(String owner) throws SQLException {
    var id = UUID.randomUUID();
    sql(
        "INSERT INTO agent.run (id, owner, goal, status, config, sandbox_profile, executor) VALUES ('"
            + id
            + "', '"
            + owner
            + "', 'g', 'EXECUTING', '{}', 'sandboxed', gen_random_uuid())");
    return id;
  }

  private void wrote(UUID run, int step, Path file) throws SQLException {
    var made = runFiles.made(run, step, file).orElseThrow();
    sql(
        "INSERT INTO agent.run_file VALUES ('%s', '%s', '%s', %d, %d, now())"
            .formatted(run, made.path(), made.location(), made.size(), made.step()));
  }

  private static void sql(String statement) throws SQLException {
    try (var connection = PostgresServer.shared().connect();
        var prepared = connection.createStatement()) {
      prepared.executeUpdate(statement);
    }
  }

  private static RequestSpecification alice() {
    return as(PostgresResource.ALICE_TOKEN);
  }

  private static RequestSpecification as(String token) {
    return given().header("X-FengYu-Token", token);
  }

  private static JsonNode json(Response response) {
    assertThat(response.statusCode()).as(response.asString()).isEqualTo(200);
    return json(response.asString());
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
