package io.fengyu.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fengyu.testing.smtp.ReceivedMail;
import io.fengyu.testing.smtp.SmtpServer;
import io.fengyu.testing.smtp.SmtpServer.Ending;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.poi.xssf.usermodel.XSSFWorkbook;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From a fresh installation to mails that were received, also when the program is killed. */
class MailStoryIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String AGENT = "agent-runtime";

  @TempDir static Path folder;

  private static final SmtpServer SERVER = SmtpServer.start();
  private static RunningSystem system = RunningSystem.NONE;
  private static Person person;
  private static String workflow;
  private static long account;
  private static long east;
  private static long west;

  @BeforeAll
  static void start() throws Exception {
    system =
        RunningSystem.start(
            folder.resolve("data"), Map.of("LEASE_TTL", "4s", "HEARTBEAT_INTERVAL", "1s"));
    person = Person.at(system.port(), system);
    account =
        add(
            "accounts",
            "{'displayName':'Reports','email':'robot@x.example','host':'127.0.0.1',"
                + "'port':%d,'security':'none'}".formatted(SERVER.port()));
    east = add("tags", "{'name':'East'}");
    west = add("tags", "{'name':'West'}");
    add("contacts", "{'name':'Ann','email':'ann@x.example','tagIds':[%d]}".formatted(east));
    add("contacts", "{'name':'Eve','email':'eve@x.example','tagIds':[%d]}".formatted(east));
    add("contacts", "{'name':'Wim','email':'wim@x.example','tagIds':[%d]}".formatted(west));
    var made = person.post("/api/workflow-templates/excel-email/instantiate", "{}");
    assertThat(made.status()).as("%s", made).isEqualTo(200);
    workflow = made.text("id");
  }

  @AfterAll
  static void stop() throws Exception {
    system.kill();
    SERVER.close();
    await().atMost(SOON).until(() -> system.leftovers().isEmpty());
  }

  @BeforeEach
  void forget() {
    SERVER.reset();
  }

  @Test
  void theTemplateMailsEachPartOfAWorkbookOnceAfterItWasApproved() throws Exception {
    var templates = person.get("/api/workflow-templates").body();
    assertThat(templates.path(0).path("missingTools")).isEmpty();
    var options = person.get("/api/workflows/" + workflow + "/inputs/recipientTagIds/options");
    assertThat(options.body().findValuesAsText("label")).containsExactly("East", "West");

    var run = startTemplate();
    var gate = person.awaits(run, "AWAITING_STEP_APPROVAL");

    assertThat(SERVER.received()).isEmpty();
    approve(run, gate);
    person.awaits(run, "COMPLETED");
    checkBothGroups();
    var id = confirmationId(run);
    var again =
        person.start(
            ("{'config':{'permissionMode':'full-access'},'workflow':{'goal':'once more','steps':["
                    + "{'toolName':'confirm_send','args':{'confirmationId':'%s'}}]}}")
                .formatted(id));
    person.awaits(again, "COMPLETED");
    assertThat(SERVER.received()).hasSize(2);
  }

  @Test
  void aProgramKilledBetweenAcceptanceAndRecordSendsNothingAgain() throws Exception {
    SERVER.ending(Ending.HOLD);
    var run = startTemplate();
    approve(run, person.awaits(run, "AWAITING_STEP_APPROVAL"));
    await().atMost(SOON).until(() -> SERVER.received().size() == 1);

    kill();
    SERVER.ending(Ending.TAKE);
    SERVER.release();

    var ended = person.awaits(run, "FAILED");
    assertThat(ended.path("interrupted").asBoolean()).isTrue();
    var receipts = person.get("/api/agent/runs/" + run + "/receipts").body();
    assertThat(state(receipts, "confirm_send")).isEqualTo("unknown");
    assertThat(SERVER.received()).hasSize(1);

    var resumed = person.post("/api/agent/runs/" + run + "/resume", "");
    assertThat(resumed.status()).as("%s", resumed).isEqualTo(200);
    var next = resumed.text("runId");
    var plan = person.awaits(next, "AWAITING_PLAN_APPROVAL").path("pendingGate");
    assertThat(plan.path("alreadyDone").findValuesAsText("state")).contains("unknown");
    person.post("/api/agent/" + next + "/approve", "");
    var step = person.awaits(next, "AWAITING_STEP_APPROVAL");
    assertThat(step.at("/pendingGate/alreadyDone/0/state").asText()).isEqualTo("unknown");
    assertThat(SERVER.received()).hasSize(1);

    var sending = confirmationId(run);
    await().atMost(SOON).until(() -> statusOf(sending).contains("INTERRUPTED"));
    approve(next, step);
    var last = person.awaits(next, "FAILED");
    assertThat(last.path("error").asText()).contains("unknown fate, not sent again");
    checkBothGroups();
  }

  private static String startTemplate() throws Exception {
    var body =
        """
        {"inputs":{"rules":[{"sheetName":"Sales","headerIndex":1,"columnIndex":1}],
                   "accountId":%d,"recipientTagIds":[%d,%d],
                   "subject":"Your region","body":"Please see the attachment."},
         "config":{"requirePlanApproval":false,"permissionMode":"approve-for-me"},
         "files":[{"name":"workbook","refs":%s}]}"""
            .formatted(account, east, west, upload(workbook()));
    var started = person.post("/api/workflows/" + workflow + "/run", body);
    assertThat(started.status()).as("%s", started).isEqualTo(200);
    return started.text("runId");
  }

  private static byte[] workbook() throws IOException {
    try (var book = new XSSFWorkbook();
        var bytes = new ByteArrayOutputStream()) {
      var sheet = book.createSheet("Sales");
      var regions = List.of("Region", "East", "West", "East", "North");
      for (int i = 0; i < regions.size(); i++) {
        var row = sheet.createRow(i);
        row.createCell(0).setCellValue(regions.get(i));
        row.createCell(1).setCellValue(i);
      }
      book.write(bytes);
      return bytes.toByteArray();
    }
  }

  private static String upload(byte[] content) throws Exception {
    var head =
        String.join(
            "\r\n",
            "--B",
            "Content-Disposition: form-data; name=\"file\"; filename=\"sales.xlsx\"",
            "Content-Type: application/octet-stream",
            "",
            "");
    var body =
        BodyPublishers.ofByteArrays(
            List.of(head.getBytes(UTF_8), content, "\r\n--B--\r\n".getBytes(UTF_8)));
    var request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + system.port() + "/api/ai/files/upload"))
            .header("X-FengYu-Token", system.token())
            .header("Content-Type", "multipart/form-data; boundary=B")
            .POST(body)
            .build();
    try (var http = HttpClient.newHttpClient()) {
      var answer = http.send(request, BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      return answer.body();
    }
  }

  /** Each group has got its own part, once. */
  private static void checkBothGroups() {
    assertThat(SERVER.received()).hasSize(2);
    check(SERVER.received().get(0), "East.xlsx", "ann@x.example", "eve@x.example");
    check(SERVER.received().get(1), "West.xlsx", "wim@x.example");
  }

  private static void check(ReceivedMail mail, String file, String... recipients) {
    assertThat(mail.recipients()).containsExactlyInAnyOrder(recipients);
    assertThat(mail.header("Subject")).isEqualTo("Your region");
    assertThat(mail.data().split("filename=", -1)).hasSize(2);
    assertThat(mail.data()).contains(file);
  }

  private static void approve(String run, JsonNode detail) {
    var decision =
        "{'decision':'approve','gateId':'" + detail.at("/pendingGate/gateId").asText() + "'}";
    assertThat(person.post("/api/agent/" + run + "/approve", decision).status()).isEqualTo(200);
  }

  /** Under way until the killed process has shown no sign of life for a while. */
  private static String statusOf(String sending) {
    var batch =
        """
        {'permissionMode':'full-access','calls':[
          {'id':'c','name':'email_send_status','arguments':{'confirmationId':'%s'}}]}"""
            .formatted(sending);
    return person.post("/api/agent/tools/batch", batch).body().toString();
  }

  private static String confirmationId(String run) throws IOException {
    for (var execution : person.detail(run).path("executions")) {
      var result = execution.path("result");
      var json =
          result.isTextual() && result.textValue().startsWith("{")
              ? new ObjectMapper().readTree(result.textValue())
              : result;
      if (json.has("confirmation")) {
        return json.at("/confirmation/confirmationId").asText();
      }
    }
    throw new AssertionError("nothing was prepared");
  }

  private static String state(JsonNode receipts, String tool) {
    for (var receipt : receipts) {
      if (receipt.path("tool").asText().equals(tool)) {
        return receipt.path("state").asText();
      }
    }
    return "none";
  }

  private static long add(String kind, String body) {
    var added = person.post("/api/mail/" + kind, body);
    assertThat(added.status()).as("%s", added).isEqualTo(201);
    return added.body().path("id").asLong();
  }

  private static void kill() {
    var before = system.pid(AGENT);
    ProcessHandle.of(before).orElseThrow().destroyForcibly();
    await()
        .atMost(SOON)
        .ignoreExceptions()
        .until(
            () ->
                system.pid(AGENT) != before
                    && Http.get(system.port(AGENT), "/q/health/ready") == 200);
  }
}
