package io.fengyu.agent.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What is refused when it is uploaded; nothing of it is installed. */
@QuarkusTest
class PackageStoryTest {

  private static final String TOOL = "{'name':'%s','method':'work','description':'Works.'}";

  private final PluginClient admin = PluginClient.admin();
  private final String id = PluginClient.freshId();

  @Test
  void aPackageWithoutAManifestIsRefused() {
    admin
        .upload(Fyp.empty().file("readme", "x").zip())
        .statusCode(400)
        .body("code", equalTo("PLUGIN_PACKAGE_INVALID"))
        .body("detail", containsString("manifest.json"));
  }

  @Test
  void aManifestThatIsWrongIsRefusedAndNothingIsInstalled() {
    admin
        .upload(
            Fyp.empty()
                .manifest("{'id':'" + id + "','name':'X','version':'1','aiTools':[{'name':'a'}]}")
                .zip())
        .statusCode(400)
        .body("code", equalTo("PLUGIN_MANIFEST_INVALID"))
        .body("params.field", equalTo("aiTools[0].method"));

    assertThat(admin.listed(id)).isEmpty();
  }

  @Test
  void aManifestThatSaysSomethingTwiceIsRefused() {
    admin
        .upload(
            Fyp.empty().manifest("{'id':'" + id + "','id':'other','name':'X','version':'1'}").zip())
        .statusCode(400)
        .body("code", equalTo("PLUGIN_MANIFEST_INVALID"));
  }

  @Test
  void aPackageWithMethodsAndNoProcessIsRefused() {
    admin
        .upload(
            Fyp.empty()
                .manifest(
                    "{'id':'%s','name':'X','version':'1','rpc':{'methods':{'m':{}}}}".formatted(id))
                .zip())
        .statusCode(400)
        .body("detail", containsString("backend/worker.jar"));
  }

  @Test
  void anEntryThatLeavesThePackageIsRefusedAndNothingIsInstalled() {
    admin
        .upload(Fyp.script(id, TOOL.formatted("x"), "answer 1").file("../evil", "x").zip())
        .statusCode(400)
        .body("code", equalTo("PLUGIN_PACKAGE_INVALID"))
        .body("params.entry", equalTo("../evil"));

    assertThat(admin.listed(id)).isEmpty();
  }

  @Test
  void hooksThatAreNoListAreRefused() {
    admin
        .upload(Fyp.script(id, TOOL.formatted("x"), "answer 1").file("hooks/hooks.json", "{").zip())
        .statusCode(400)
        .body("params.entry", equalTo("hooks/hooks.json"));
  }

  @Test
  void whatIsNoUploadIsRefused() {
    admin.upload("no zip".getBytes(StandardCharsets.UTF_8)).statusCode(400);
    admin.send("POST", "/api/plugin-market/upload", "{'file':1}").statusCode(415);
  }

  @Test
  void theIdOfAPluginThatShipsWithTheProductIsTaken() {
    admin
        .upload(Fyp.script("fan.summer.excel", TOOL.formatted("x"), "answer 1").zip())
        .statusCode(409)
        .body("code", equalTo("PLUGIN_ID_RESERVED"));
  }

  @Test
  void aPackageCannotShadowABuiltInToolNorTakeTheNameOfAnEarlierOne() {
    var second = PluginClient.freshId();
    var name = "tool_" + id.replace('.', '_');
    admin.install(
        Fyp.script(
            id, TOOL.formatted("echo") + "," + TOOL.formatted(name), "answer '\"of the first\"'"));
    admin.install(Fyp.script(second, TOOL.formatted(name), "answer '\"of the second\"'"));
    try {
      assertThat(admin.tool("echo", "en")).containsEntry("pluginId", null);
      assertThat(admin.tool(name, "en")).containsEntry("pluginId", id);
      assertThat(admin.catalog()).containsOnlyOnce("echo", name);
      assertThat(admin.run(name, "{}").result(0)).isEqualTo("of the first");
    } finally {
      admin.uninstall(id);
      assertThat(admin.run(name, "{}").result(0)).isEqualTo("of the second");
      admin.uninstall(second);
    }
  }
}
