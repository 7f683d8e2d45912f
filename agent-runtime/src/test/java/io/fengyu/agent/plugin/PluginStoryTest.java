package io.fengyu.agent.plugin;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fengyu.contract.testing.PostgresResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The package of the repository: built, installed, used and removed. */
@QuarkusTest
class PluginStoryTest {

  private static final String ID = "io.fengyu.sample";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final PluginClient admin = PluginClient.admin();
  private final PluginClient alice = PluginClient.alice();

  @BeforeEach
  void install() {
    admin.install(Fyp.sample());
  }

  @AfterEach
  void uninstall() {
    if (!admin.listed(ID).isEmpty()) {
      admin.uninstall(ID);
    }
  }

  @Test
  void anInstalledPackageAnswersWithItsManifestAndIsListed() {
    admin
        .upload(Fyp.sample().zip())
        .statusCode(201)
        .body("id", equalTo(ID))
        .body("version", equalTo("1.0.0"))
        .body("aiTools.size()", equalTo(6));

    assertThat(alice.listed(ID)).containsEntry("enabled", true).containsEntry("name", "Sample");
  }

  @Test
  void itsToolsAreInTheCatalogWithEverythingTheyDeclare() {
    var tool = alice.tool("sample_count", "en");

    assertThat(tool)
        .containsEntry("id", ID + ":sample_count")
        .containsEntry("pluginId", ID)
        .containsEntry("effect", "read")
        .containsEntry("idempotent", true)
        .containsEntry("retrySafe", true)
        .containsEntry("resources", Map.of("reads", List.of("text"), "writes", List.of()))
        .containsEntry("localizedDescription", null);
    assertThat(JsonPath.from(json(tool)).getString("flowNode.inputs[0].examples[0]"))
        .isEqualTo("three short words");
    assertThat(alice.tool("sample_counting", "en"))
        .containsEntry("effect", "external")
        .containsEntry("retrySafe", false);
  }

  @Test
  void peopleReadAboutThemInTheirLanguageAndModelsDoNot() {
    var tool = alice.tool("sample_count", "zh-CN");

    assertThat(tool)
        .containsEntry("localizedDescription", "统计文本的词数和字符数。")
        .containsEntry("description", "Counts the words and characters of a text.");
    var node = JsonPath.from(json(tool));
    assertThat(node.getString("flowNode.label")).isEqualTo("统计词数");
    assertThat(node.getString("flowNode.help")).isEqualTo("统计文本的词数和字符数。");
    assertThat(node.getString("flowNode.inputs[0].title")).isEqualTo("文本");
    assertThat(node.getString("flowNode.outputs[1].title")).isEqualTo("Characters");
  }

  private static String json(Object value) {
    return io.vertx.core.json.Json.encode(value);
  }

  @Test
  void aRunCallsThemAndOneProcessServesAllCalls() {
    var first = alice.run("sample_count", "{'text':'one two three'}");
    var pids = admin.pids(ID);
    var second = alice.run("sample_count", "{'text':'one'}");

    assertThat(first.result(0)).as(first.error()).contains("\"words\":3", "\"characters\":13");
    assertThat(second.result(0)).contains("\"words\":1");
    assertThat(pids).hasSize(1);
    assertThat(admin.pids(ID)).isEqualTo(pids);
  }

  @Test
  void argumentsThatBreakTheContractNeverReachTheProcess() {
    var missing = alice.run("sample_count", "{}");
    var tooMuch = alice.run("sample_count", "{'text':'a','more':1}");
    var wrong = alice.run("sample_count", "{'text':7}");

    assertThat(missing.error()).contains("$.text");
    assertThat(tooMuch.error()).contains("$.more");
    assertThat(wrong.error()).contains("$.text").contains("type");
  }

  @Test
  void aPluginThatIsSwitchedOffStopsAtOnceAndItsToolsAreGone() {
    alice.run("sample_count", "{'text':'one'}");
    long pid = admin.pids(ID).getFirst();

    admin.enable(ID, false).statusCode(200).body("enabled", equalTo(false));

    assertThat(ProcessHandle.of(pid)).isEmpty();
    assertThat(alice.catalog()).doesNotContain("sample_count");
    admin.enable(ID, true).statusCode(200);
    assertThat(alice.catalog()).contains("sample_count");
    assertThat(alice.run("sample_count", "{'text':'one'}").result(0)).contains("\"words\":1");
  }

  @Test
  void aPluginThatIsSwitchedOffInTheMiddleOfARunFailsItsNextStepCleanly() {
    var run =
        alice.start(
            PluginClient.step("delay", "{'ms':8000}")
                + ","
                + "{'toolName':'sample_count','args':{'text':'one'},'dependsOn':[0]}",
            "[]");
    await().atMost(PATIENCE).until(() -> alice.detail(run).getString("status").equals("EXECUTING"));
    admin.enable(ID, false).statusCode(200);

    assertThat(alice.ended(run).error()).contains("io.fengyu.sample is not enabled");
  }

  @Test
  void whatWasUninstalledIsGoneAndCanBeInstalledAgain() {
    alice.run("sample_note", "{'text':'kept'}");
    admin.uninstall(ID);

    assertThat(alice.catalog()).doesNotContain("sample_count");
    assertThat(admin.listed(ID)).isEmpty();
    admin.send("DELETE", "/api/plugin-market/" + ID, "").statusCode(404);
    admin.enable(ID, true).statusCode(404).body("code", equalTo("PLUGIN_NOT_FOUND"));

    admin.install(Fyp.sample());
    assertThat(alice.run("sample_note", "{'text':'again'}").result(0)).contains("\"notes\":");
  }

  @Test
  void anotherVersionTakesThePlaceOfTheFirst() {
    alice.run("sample_count", "{'text':'one'}");
    long pid = admin.pids(ID).getFirst();

    admin.install(
        Fyp.sample()
            .with("manifest.json", "\"1.0.0\"", "\"1.1.0\"")
            .with("manifest.json", "sample_lines", "sample_count_lines"));

    assertThat(ProcessHandle.of(pid)).isEmpty();
    assertThat(admin.listed(ID)).containsEntry("version", "1.1.0");
    assertThat(alice.catalog()).contains("sample_count_lines").doesNotContain("sample_lines");
    assertThat(alice.run("sample_count", "{'text':'one'}").result(0)).contains("\"words\":1");
  }

  @Test
  void onlyAdminsDecideAboutPlugins() {
    alice.upload(Fyp.sample().zip()).statusCode(403).body("code", equalTo("FORBIDDEN"));
    alice.enable(ID, false).statusCode(403);
    alice.send("DELETE", "/api/plugin-market/" + ID, "").statusCode(403);
    alice.invoke(ID, "text_count", "{'text':'a'}").statusCode(403);
    alice.get("/api/plugin-runtime").statusCode(403);
    alice.send("POST", "/api/plugin-hooks/" + ID + "/trust", "").statusCode(403);

    assertThat(alice.catalog()).contains("sample_count");
  }

  @Test
  void anAdminCallsMethodsDirectlyUnderTheSameGuard() {
    admin
        .invoke(ID, "text_count", "{'text':'a b'}")
        .statusCode(200)
        .body("words", equalTo(2))
        .body("success", equalTo(true));
    admin
        .invoke(ID, "nothing", "{}")
        .statusCode(404)
        .body("code", equalTo("PLUGIN_METHOD_UNKNOWN"));
    admin
        .invoke(ID, "counting_status", "{'jobId':'none'}")
        .statusCode(502)
        .body("code", equalTo("PLUGIN_CALL_FAILED"))
        .body("detail", containsString("there is no such job (-32000)"));

    admin
        .send("PUT", "/api/settings/permission-rules", "{'deny':['Tool(sample_count)']}")
        .statusCode(200);
    try {
      admin
          .invoke(ID, "text_count", "{'text':'a b'}")
          .statusCode(403)
          .body("detail", containsString("deny rule Tool(sample_count)"));
    } finally {
      admin.send("PUT", "/api/settings/permission-rules", "{}").statusCode(200);
    }
  }

  @Test
  void aJobIsFollowedToItsEnd() {
    var run = alice.run("sample_counting", "{'to':4}");

    assertThat(run.result(0)).as(run.error()).contains("\"counted\":4", "\"async\":false");
  }

  @Test
  void aGrantedFileIsReadByThePluginItWasGrantedToAndByNobodyElse() {
    var refs = uploaded("lines.txt", "a\nb\nc\n");
    var ref = json(refs.getMap("find { it.pluginId == '" + ID + "' }.ref")).replace('"', '\'');
    var other =
        json(refs.getMap("find { it.pluginId == 'fan.summer.excel' }.ref")).replace('"', '\'');

    var read = alice.run("sample_lines", "{'file':" + ref + "}");
    assertThat(read.result(0)).as(read.error()).contains("\"lines\":3");
    assertThat(alice.run("sample_lines", "{'file':" + other + "}").error()).contains("not granted");
    assertThat(admin.run("sample_lines", "{'file':" + ref + "}").error()).contains("not granted");

    var id = refs.getString("find { it.pluginId == '" + ID + "' }.ref.id");
    alice
        .send("POST", "/api/ai/files/revoke", "{'pluginId':'" + ID + "','refId':'" + id + "'}")
        .statusCode(200);
    assertThat(alice.run("sample_lines", "{'file':" + ref + "}").error()).contains("not granted");
  }

  private static JsonPath uploaded(String name, String text) {
    return given()
        .header("X-FengYu-Token", PostgresResource.ALICE_TOKEN)
        .multiPart("file", name, text.getBytes(StandardCharsets.UTF_8))
        .post("/api/ai/files/upload")
        .then()
        .statusCode(200)
        .extract()
        .jsonPath();
  }

  @Test
  void whatOneStepWritesIntoASharedDirectoryALaterStepReads() {
    var run =
        alice.ended(
            alice.start(
                PluginClient.step(
                        "sample_write",
                        "{'directory':'@file:shared','name':'made.txt','text':'one\\ntwo\\n'}")
                    + ","
                    + PluginClient.step("sample_lines", "{'file':'{{steps.0.result.file}}'}"),
                "[{'name':'shared','createSharedDirectory':true}]"));

    assertThat(run.result(1)).as(run.error()).contains("\"lines\":2");
    assertThat(
            alice
                .get("/api/agent/runs/" + run.id() + "/files")
                .extract()
                .jsonPath()
                .getList("path", String.class))
        .containsExactly("shared/shared/made.txt");
  }

  @Test
  void aPlaceThatWasNotGrantedIsNotSeenFromTheSandbox() {
    alice.run("sample_count", "{'text':'x'}");
    boolean sandboxed =
        admin
            .get("/api/plugin-runtime")
            .extract()
            .jsonPath()
            .getBoolean("find { it.id == '" + ID + "' }.workers[0].sandboxed");
    assumeTrue(sandboxed, "plugins are not confined on this machine");
    var ours = "{'file':'" + System.getProperty("user.dir") + "/pom.xml'}";

    assertThat(alice.run("sample_lines", ours).error()).contains("pom.xml");
    unsandboxed(true);
    try {
      assertThat(alice.run("sample_lines", ours).result(0)).contains("\"lines\":");
    } finally {
      unsandboxed(false);
    }
  }

  private void unsandboxed(boolean on) {
    admin.send("PUT", "/api/settings", "{'unsandboxedPlugins':" + on + "}").statusCode(200);
  }
}
