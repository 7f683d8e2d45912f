package io.fengyu.agent.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fengyu.testing.mcp.ToolServer;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class ToolServerStoryTest {

  @Inject Pool pool;

  private final McpClient alice = McpClient.alice();
  private final ToolServer server = ToolServer.start();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void theToolsOfAServerAreInTheCatalogAndInRuns() {
    server.tool(
        "say", "Says it", (request, reply) -> reply.text("you said " + request.arguments()));
    var name = McpClient.freshName("Ticket Système ");

    var tickets = alice.connected(name, McpClient.http(server.address()));

    assertThat(tickets.prefix).startsWith("ticket_syst_me_");
    var entry = alice.catalogEntry(tickets.tool("say"));
    assertThat(entry)
        .containsEntry("effect", "external")
        .containsEntry("pluginId", "mcp")
        .containsEntry("retrySafe", false)
        .containsEntry("description", "Says it");
    var run = tickets.run("say", "{'word':'hello'}");
    assertThat(run.status()).isEqualTo("COMPLETED");
    assertThat(run.result(0)).isEqualTo("you said {\"word\":\"hello\"}");
    assertThat(run.receipt(0)).isEqualTo("done");
    assertThat(McpClient.bob().catalog()).doesNotContain(tickets.tool("say"));
  }

  @Test
  void everyCallIntroducesItselfOnceAndClosesItsConnection() {
    server.tool("say", (request, reply) -> reply.text("yes"));
    var own = alice.connected(McpClient.freshName("one"), McpClient.http(server.address()));
    int before = server.requests("initialize").size();

    alice.run(own.step("say", "{}") + "," + own.step("say", "{}") + "," + own.step("say", "{}"));

    assertThat(server.requests("initialize")).hasSize(before + 3);
    await().until(() -> server.sockets() == 0);
    assertThat(server.requests("DELETE")).hasSize(before + 3);
    assertThat(server.requests("tools/call").stream().map(r -> r.connection()).distinct())
        .hasSize(3);
    assertThat(server.requests("tools/call"))
        .allSatisfy(
            call -> {
              assertThat(call.header("mcp-session-id")).isNotEmpty();
              assertThat(call.header("mcp-protocol-version")).isEqualTo("2025-11-25");
            });
  }

  @Test
  void aCallTellsWhoseWorkItIsAndArgumentsCannotChangeThat() {
    server.tool("say", (request, reply) -> reply.text("yes"));
    var own = alice.connected(McpClient.freshName("who"), McpClient.http(server.address()));

    var run = own.run("say", "{'X-User-ID':'mallory','user_id':'mallory'}");

    var call = server.requests("tools/call").getFirst();
    assertThat(call.header("x-user-id")).isEqualTo("alice");
    assertThat(call.header("x-session-id")).isEqualTo("session-1");
    assertThat(call.header("x-run-id")).isEqualTo(run.id());
    assertThat(call.header("x-agent-id")).isNotEmpty();
    assertThat(call.header("x-execution-generation")).isEqualTo("1");
    assertThat(call.header("x-operation-id"))
        .isEqualTo(run.receipts().getString("[0].invocationId"));
    assertThat(call.header("x-internal-secret")).isEmpty();
    assertThat(call.arguments().path("X-User-ID").asText()).isEqualTo("mallory");
  }

  @Test
  void onlyServersOfTheCompanyGetTheInternalSecretAndOnlyAdminsSayWhichTheyAre() {
    server.tool("say", (request, reply) -> reply.text("yes"));
    var settings = McpClient.http(server.address()) + ",'internal':true";

    alice
        .send("POST", "/api/mcp/servers", "{'name':'theirs'," + settings + "}")
        .statusCode(403)
        .body("code", equalTo("FORBIDDEN"));
    var admin = McpClient.admin();
    server.tool("degree_analysis", (request, reply) -> reply.text("3"));
    var own = admin.connected(McpClient.freshName("company"), settings);
    assertThat(admin.catalogEntry(own.tool("degree_analysis"))).containsEntry("effect", "read");
    own.run("say", "{}");

    assertThat(server.requests("tools/call").getFirst().header("x-internal-secret"))
        .isEqualTo("test-internal-secret-0123456789abcdef");
    own.delete();
  }

  @Test
  void secretsAreSentButNeverShownAndStayWithTheirAddress() {
    server.tool("say", (request, reply) -> reply.text("yes"));
    var own =
        alice.connected(
            McpClient.freshName("secret"),
            McpClient.http(server.address()) + ",'headers':{'Authorization':'Bearer canary-77'}");

    assertThat(own.view().getList("headerNames")).containsExactly("Authorization");
    assertThat(alice.get("/api/mcp/servers").extract().asString()).doesNotContain("canary-77");
    assertThat(stored(own.id)).doesNotContain("canary-77");
    assertThat(server.requests("tools/list").getFirst().header("authorization"))
        .isEqualTo("Bearer canary-77");
    own.change("{'headers':{'Authorization':null,'X-More':'2'}}")
        .body("headerNames", hasItem("Authorization"));
    own.change("{'disabledTools':[]}").body("headerNames", hasItem("X-More"));
    own.change("{'url':'http://127.0.0.1:1/elsewhere'}").body("headerNames", empty());
  }

  private String stored(String id) {
    return pool.preparedQuery("SELECT m::text AS row FROM agent.mcp_server m WHERE id = $1")
        .execute(io.vertx.mutiny.sqlclient.Tuple.of(UUID.fromString(id)))
        .await()
        .indefinitely()
        .iterator()
        .next()
        .getString("row");
  }

  @Test
  void aServersSecretsAreMaskedInItsOwnWords() {
    server.on(
        "initialize",
        (request, reply) ->
            reply.respond(
                401,
                java.util.Map.of("content-type", "application/json"),
                "{\"error\":{\"message\":\"bad " + request.header("authorization") + "\"}}"));

    var own =
        alice.added(
            McpClient.freshName("masked"),
            McpClient.http(server.address()) + ",'headers':{'Authorization':'Bearer canary-78'}");
    own.await("error");

    assertThat(own.view().getString("error")).contains("HTTP 401", "bad ***");
  }

  @Test
  void aFailedDiscoverySaysWhyAndIsTriedAgainLater() {
    server.tool("say", (request, reply) -> reply.text("yes"));
    server.on("tools/list", (request, reply) -> reply.respond(500, java.util.Map.of(), ""));

    var own = alice.added(McpClient.freshName("later"), McpClient.http(server.address()));
    own.await("error");

    assertThat(own.view().getString("error")).contains("HTTP 500");
    assertThat(own.view().getList("tools")).isEmpty();
    var tools = JsonNodeFactory.instance.objectNode();
    tools.putArray("tools").addObject().put("name", "say");
    server.on("tools/list", (request, reply) -> reply.event(tools));
    own.await("connected");
    assertThat(alice.catalog()).contains(own.tool("say"));
  }

  @Test
  void peopleDecideWhichToolsThereAreAndHowDangerousTheyAre() {
    server.tool("look", (request, reply) -> reply.text("seen"));
    server.tool("wipe", (request, reply) -> reply.text("gone"));
    server.tool("register_session", (request, reply) -> reply.text("no"));
    var own =
        alice.connected(
            McpClient.freshName("choice"),
            McpClient.http(server.address())
                + ",'disabledTools':['wipe'],'toolEffects':{'look':'read'},"
                + "'toolResources':{'look':{'reads':['graph'],'writes':[]}}");

    assertThat(alice.catalog())
        .contains(own.tool("look"))
        .doesNotContain(own.tool("wipe"), own.tool("register_session"));
    assertThat(alice.catalogEntry(own.tool("look")))
        .containsEntry("effect", "read")
        .containsEntry("retrySafe", true)
        .hasEntrySatisfying("resources", r -> assertThat(r.toString()).contains("graph"));
    own.change("{'enabled':false}").statusCode(200).body("nextAttemptAt", nullValue());
    assertThat(alice.catalog()).doesNotContain(own.tool("look"));
    own.delete();
    own.change("{'enabled':true}").statusCode(404).body("code", equalTo("MCP_SERVER_NOT_FOUND"));
  }

  @Test
  void twoServersOfOneNameHaveToolsOfTwoNames() {
    server.tool("say", (request, reply) -> reply.text("yes"));
    var name = McpClient.freshName("twin");

    var first = alice.connected(name, McpClient.http(server.address()));
    var second = alice.connected(name, McpClient.http(server.address()));

    assertThat(second.prefix).isEqualTo(first.prefix + "_2");
    assertThat(alice.catalog()).contains(first.tool("say"), second.tool("say"));
  }

  @Test
  void whatIsNoServerIsRefusedWithTheFieldThatIsWrong() {
    var good = "'type':'streamable-http','url':'http://127.0.0.1:9/mcp'";
    refused("{" + good + "}", "name");
    refused("{'name':'x','type':'carrier-pigeon'}", "type");
    refused("{'name':'x','type':'sse'}", "url");
    refused("{'name':'x','type':'sse','url':'http://u:p@host/'}", "url");
    refused("{'name':'x'," + good + ",'headers':{'X-User-ID':'bob'}}", "headers");
    refused("{'name':'x'," + good + ",'headers':{'a':'b\\r\\nc: d'}}", "headers");
    refused("{'name':'x'," + good + ",'toolEffects':{'t':'harmless'}}", "toolEffects");
    refused("{'name':'x'," + good + ",'disabledTools':'t'}", "disabledTools");
    alice
        .send(
            "POST", "/api/mcp/servers", "{'name':'x','type':'sse','url':'http://169.254.169.254/'}")
        .statusCode(400)
        .body("code", equalTo("MCP_ADDRESS_REFUSED"));
    alice
        .send("POST", "/api/mcp/servers", "{'name':'x','type':'stdio','command':'ls'}")
        .statusCode(403);
  }

  private void refused(String body, String field) {
    alice
        .send("POST", "/api/mcp/servers", body)
        .statusCode(400)
        .body("code", equalTo("MCP_SERVER_INVALID"))
        .body("params.field", equalTo(field));
  }

  @Test
  void aServerOfSomebodyElseIsAsGoodAsNone() {
    var own = alice.added(McpClient.freshName("mine"), McpClient.http(server.address()));
    var bob = McpClient.bob();

    bob.get("/api/mcp/servers").body("id", not(hasItem(own.id)));
    bob.get("/api/mcp/status").body("id", not(hasItem(own.id)));
    bob.send("PUT", "/api/mcp/servers/" + own.id, "{'name':'b'}").statusCode(404);
    bob.send("POST", "/api/mcp/servers/" + own.id + "/test", "").statusCode(404);
    bob.send("DELETE", "/api/mcp/servers/" + own.id, "").statusCode(404);
  }

  @Test
  void aFailureInsideAGoodAnswerIsAFailure() {
    server.tool("marked", (request, reply) -> reply.error("the disk is full"));
    server.tool(
        "told", (request, reply) -> reply.text("{\"success\":false,\"error\":\"no graph\"}"));
    server.tool(
        "state", (request, reply) -> reply.text("{\"status\":\"failed\",\"error\":\"late\"}"));
    var structured = JsonNodeFactory.instance.objectNode();
    structured.putObject("structuredContent").put("success", false).put("summary", "none there");
    server.tool("structured", (request, reply) -> reply.result(structured));
    var own = alice.connected(McpClient.freshName("fails"), McpClient.http(server.address()));

    assertThat(own.run("marked", "{}").error()).isEqualTo("Step 0 failed: the disk is full");
    var run =
        alice.run(own.step("told", "{}") + "," + own.step("told", "{'after':'{{last.result}}'}"));
    assertThat(run.error()).isEqualTo("Step 0 failed: no graph");
    assertThat(run.receipt(0)).isEqualTo("failed");
    assertThat(server.requests("tools/call")).hasSize(2);
    assertThat(own.run("state", "{}").error()).isEqualTo("Step 0 failed: late");
    assertThat(own.run("structured", "{}").error()).isEqualTo("Step 0 failed: none there");
  }

  @Test
  void picturesAndStructuredResultsAreJson() {
    var picture = JsonNodeFactory.instance.objectNode();
    var content = picture.putArray("content");
    content.addObject().put("type", "text").put("text", "a dot");
    content.addObject().put("type", "image").put("data", "iVBORw0=").put("mimeType", "image/png");
    server.tool("draw", (request, reply) -> reply.event(picture));
    var numbers = JsonNodeFactory.instance.objectNode();
    numbers.putArray("content").addObject().put("type", "text").put("text", "n is 3");
    numbers.putObject("structuredContent").put("n", 3);
    server.tool("count", (request, reply) -> reply.result(numbers));
    var own = alice.connected(McpClient.freshName("kinds"), McpClient.http(server.address()));

    assertThat(own.run("draw", "{}").result(0))
        .isEqualTo("{\"text\":\"a dot\",\"imageBase64\":\"iVBORw0=\",\"mimeType\":\"image/png\"}");
    assertThat(own.run("count", "{}").result(0)).isEqualTo("{\"n\":3}");
  }

  @Test
  void aTestConnectsRightNowAndTellsHowItWent() {
    server.tool("say", (request, reply) -> reply.text("yes"));
    var own = alice.connected(McpClient.freshName("test"), McpClient.http(server.address()));

    own.test().statusCode(200).body("ok", equalTo(true)).body("tools", hasItem("say"));
    server.close();
    own.test()
        .statusCode(200)
        .body("ok", equalTo(false))
        .body("error", equalTo("The server cannot be connected to"));
    own.await("error");
    assertThat(alice.catalog()).contains(own.tool("say"));
  }
}
