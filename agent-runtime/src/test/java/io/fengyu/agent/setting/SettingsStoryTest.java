package io.fengyu.agent.setting;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;

import io.fengyu.contract.testing.PostgresResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class SettingsStoryTest {

  @Inject Pool pool;
  @Inject SettingsReader reader;

  @AfterEach
  void asInstalled() {
    pool.query("DELETE FROM agent.owner_setting").executeAndAwait();
    pool.query("DELETE FROM agent.deployment_setting").executeAndAwait();
    pool.query("NOTIFY fengyu_settings, ''").executeAndAwait();
    await().until(() -> !reader.now("alice").deployment().unsandboxedPlugins());
  }

  private static ValidatableResponse put(String token, String body) {
    return given()
        .header("X-FengYu-Token", token)
        .contentType("application/json")
        .body(body.replace('\'', '"'))
        .put("/api/settings")
        .then();
  }

  private static ValidatableResponse get(String token) {
    return given().header("X-FengYu-Token", token).get("/api/settings").then().statusCode(200);
  }

  @Test
  void nothingSetIsEveryDefault() {
    get(PostgresResource.BOB_TOKEN)
        .body("memoryEnabled", equalTo(false))
        .body("computerUseEnabled", equalTo(true))
        .body("unsandboxedPlugins", equalTo(false))
        .body("theme", equalTo(null))
        .body("budget", equalTo(null));
  }

  @Test
  void anOwnersSettingsAreTheOwnersAlone() {
    put(PostgresResource.ALICE_TOKEN, "{'memoryEnabled':true,'budget':{'maxTokens':5}}")
        .statusCode(200)
        .body("memoryEnabled", equalTo(true))
        .body("budget.maxTokens", equalTo(5));
    put(PostgresResource.ALICE_TOKEN, "{'theme':'light'}")
        .statusCode(200)
        .body("memoryEnabled", equalTo(true))
        .body("theme", equalTo("light"));

    get(PostgresResource.BOB_TOKEN).body("memoryEnabled", equalTo(false));
  }

  @Test
  void onlyAnAdminChangesTheDeployment() {
    put(PostgresResource.ALICE_TOKEN, "{'unsandboxedPlugins':true}")
        .statusCode(403)
        .body("code", equalTo("FORBIDDEN"));
    put(PostgresResource.ADMIN_TOKEN, "{'unsandboxedPlugins':true}").statusCode(200);

    get(PostgresResource.ALICE_TOKEN).body("unsandboxedPlugins", equalTo(true));
  }

  @Test
  void howMuchIsLoggedChangesAtOnce() {
    put(PostgresResource.ALICE_TOKEN, "{'logLevel':'WARN'}").statusCode(403);
    var root = org.jboss.logmanager.LogContext.getLogContext().getLogger("");
    var before = root.getLevel();

    put(PostgresResource.ADMIN_TOKEN, "{'logLevel':'WARN'}")
        .statusCode(200)
        .body("logLevel", equalTo("WARN"));

    await().until(() -> root.getLevel().getName().equals("WARN"));
    asInstalled();
    await().until(() -> root.getLevel().equals(before));
  }

  @Test
  void whatAnotherReplicaSavedIsSeenAtOnce() {
    assertThat(reader.now("alice").own().memoryEnabled()).isFalse();

    pool.query("INSERT INTO agent.owner_setting (owner, memory_enabled) VALUES ('alice', true)")
        .executeAndAwait();
    pool.query("NOTIFY fengyu_settings, 'alice'").executeAndAwait();

    await().until(() -> reader.now("alice").own().memoryEnabled());
  }

  @Test
  void aMistakeIsNamedAndNothingIsStored() {
    put(PostgresResource.ALICE_TOKEN, "{'memoryEnabled':true,'theme':'pink'}")
        .statusCode(400)
        .body("code", equalTo("SETTING_INVALID"))
        .body("params.field", equalTo("theme"));
    put(PostgresResource.ALICE_TOKEN, "{'memoryEnabld':true}")
        .statusCode(400)
        .body("code", equalTo("SETTING_UNKNOWN"))
        .body("params.field", equalTo("memoryEnabld"));
    put(PostgresResource.ALICE_TOKEN, "[]").statusCode(400);

    get(PostgresResource.ALICE_TOKEN).body("memoryEnabled", equalTo(false));
  }
}
