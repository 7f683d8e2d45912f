package io.fengyu.agent.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Hooks that come in packages: nothing of them is run until an admin says so. */
@QuarkusTest
class PluginHookStoryTest {

  private static final String ID = "io.fengyu.sample";
  private static final String NOTE = "{'text':'this is forbidden'}";

  private final PluginClient admin = PluginClient.admin();
  private final PluginClient alice = PluginClient.alice();

  @ConfigProperty(name = "fengyu.plugins.directory")
  Path directory;

  @BeforeEach
  void install() {
    admin.install(Fyp.sample());
  }

  @AfterEach
  void uninstall() {
    admin.uninstall(ID);
  }

  private Map<String, Object> entry() {
    return admin
        .get("/api/plugin-hooks")
        .statusCode(200)
        .extract()
        .jsonPath()
        .getMap("find { it.pluginId == '" + ID + "' }");
  }

  private void trust(String body) {
    admin.send("POST", "/api/plugin-hooks/" + ID + "/trust", body).statusCode(200);
  }

  @Test
  void installingAndEnablingActivatesNoHook() {
    admin.enable(ID, false).statusCode(200);
    admin.enable(ID, true).statusCode(200);

    assertThat(entry())
        .containsEntry("pluginName", "Sample")
        .containsEntry("trusted", false)
        .containsEntry("active", false)
        .containsEntry("hookCount", 1);
    assertThat(String.valueOf(entry().get("warnings"))).contains("its event must be");
    assertThat(alice.run("sample_note", NOTE).result(0)).contains("notes");
  }

  @Test
  void aTrustedHookDeniesFromTheNextCallOnAndNoLongerWhenTrustIsWithdrawn() {
    admin
        .send("POST", "/api/plugin-hooks/" + ID + "/trust", "")
        .statusCode(200)
        .body("pluginId", equalTo(ID))
        .body("trusted", equalTo(true));

    assertThat(alice.run("sample_note", NOTE).error())
        .contains("plugin/" + ID + "/")
        .contains("notes must not be forbidden");

    trust("{'trusted':false}");
    assertThat(alice.run("sample_note", NOTE).result(0)).contains("notes");
  }

  @Test
  void aHookRunsInTheDirectoryOfItsPackage() throws Exception {
    trust("{'trusted':true}");

    alice.run("sample_note", "{'text':'fine'}");

    var digest = String.valueOf(admin.listed(ID).get("digest"));
    var home = directory.toAbsolutePath().resolve("plugins").resolve(digest).toRealPath();
    assertThat(Files.readString(directory.resolve("plugin-data").resolve(ID).resolve("checked")))
        .isEqualToIgnoringNewLines(home + " " + home + " pre_tool_use");
  }

  @Test
  void aPluginThatIsSwitchedOffContributesNoHook() {
    trust("");
    admin.enable(ID, false).statusCode(200);

    assertThat(entry()).containsEntry("trusted", true).containsEntry("active", false);
  }

  @Test
  void trustBelongsToThePackageThatWasLookedAt() {
    trust("");

    admin.install(Fyp.sample().with("bin/check.sh", "exit 2", "exit 2 # changed"));
    assertThat(entry()).containsEntry("trusted", false);

    trust("");
    admin.uninstall(ID);
    admin.install(Fyp.sample().with("bin/check.sh", "exit 2", "exit 2 # changed"));
    assertThat(entry()).containsEntry("trusted", false);
  }

  @Test
  void nobodyTrustsWhatIsNotThere() {
    admin
        .send("POST", "/api/plugin-hooks/no.such/trust", "")
        .statusCode(404)
        .body("code", equalTo("PLUGIN_NOT_FOUND"));
    admin
        .send("POST", "/api/plugin-hooks/" + ID + "/trust", "{'trusted':'yes'}")
        .statusCode(400)
        .body("detail", containsString("trusted"));
  }
}
