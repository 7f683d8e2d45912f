package io.fengyu.agent.canary;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fengyu.contract.testing.PostgresResource;
import io.fengyu.testing.mcp.ToolServer;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Secrets of every kind are planted, everything is exercised, mostly so that it fails, and then all
 * that is kept, said, logged and handed to children is searched for them.
 */
@QuarkusTest
class CanaryTest {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String FREE = "'config':{'permissionMode':'full-access'},";

  private final ToolServer tools = ToolServer.start();
  private final Map<String, String> canaries = new LinkedHashMap<>();
  private final StringBuilder answers = new StringBuilder();
  private final Queue<String> log = new ConcurrentLinkedQueue<>();
  private final List<String> servers = new ArrayList<>();
  private final List<String> runs = new ArrayList<>();

  private final Handler listener =
      new Handler() {
        private final SimpleFormatter formatter = new SimpleFormatter();

        @Override
        public void publish(LogRecord line) {
          log.add(formatter.format(line) + line.getThrown());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  private String canary(String what) {
    return canaries.computeIfAbsent(
        what, each -> "canary" + UUID.randomUUID().toString().replace("-", ""));
  }

  @BeforeEach
  void listen() {
    listener.setLevel(Level.ALL);
    Logger.getLogger("").addHandler(listener);
    canaries.put("internal secret", PostgresResource.INTERNAL_SECRET);
    canaries.put(
        "machine key", ConfigProvider.getConfig().getValue("FENGYU_MACHINE_KEY", String.class));
    for (var name : List.of("CANARY_API_KEY", "CANARY_TOKEN", "MY_CREDENTIAL", "DB_URL_OF_MINE")) {
      canaries.put("variable " + name, String.valueOf(System.getenv(name)));
    }
  }

  @AfterEach
  void close() {
    Logger.getLogger("").removeHandler(listener);
    send(PostgresResource.ADMIN_TOKEN, "PUT", "/api/settings/hooks", "[]");
    servers.forEach(
        id -> send(PostgresResource.ADMIN_TOKEN, "DELETE", "/api/mcp/servers/" + id, ""));
    tools.close();
  }

  @Test
  void noSecretIsAnywhereButSealed() throws Exception {
    commandsAndHooks();
    callsOfServers();
    programs();
    refusals();
    reads();

    var everything = Everything.kept();
    everything.add("answers", answers.toString());
    everything.add("log", String.join("\n", log));

    assertThat(everything.has("table agent.run_event", "planted")).as("the search sees").isTrue();
    assertThat(everything.has("answers", "planted")).as("answers are searched").isTrue();
    assertThat(everything.has("log", "broken-hook")).as("hooks that fail are logged").isTrue();
    assertThat(everything.has("answers", "I was told ***")).as("the server was told").isTrue();
    canaries.forEach(
        (what, secret) -> {
          assertThat(secret).as(what).hasSizeGreaterThan(15);
          assertThat(everything.placesOf(secret)).as(what).isEmpty();
        });
  }

  private void commandsAndHooks() {
    var hooks = new ArrayList<String>();
    for (var event :
        List.of("pre_tool_use", "post_tool_use", "post_tool_use_failure", "run_complete")) {
      hooks.add(
          "{'name':'broken-hook','event':'%s','matcher':'','type':'command',".formatted(event)
              + "'command':'env; env >&2; exit 3'}");
    }
    hooks.add(
        "{'name':'talking-hook','event':'pre_tool_use','matcher':'^execute_command$',"
            + "'type':'command','command':'env >&2; exit 0'}");
    hooks.add(
        "{'name':'denying-hook','event':'pre_tool_use','matcher':'^json_format$',"
            + "'type':'command','command':'env | tr \\\\n , >&2; exit 2'}");
    ok("PUT", "/api/settings/hooks", "[" + String.join(",", hooks) + "]");
    run(FREE, "execute_command", "{'command':'env; echo planted'}");
    run("'config':{'permissionMode':'approve-for-me'},", "execute_command", "{'command':'env'}");
    run(FREE, "execute_command", "{'command':'env >&2; exit 7'}");
    run(FREE, "execute_command", "{'command':'env; sleep 9','timeoutSeconds':1}");
    run(FREE, "json_format", "{'json':'{}'}");
    ok("PUT", "/api/settings/hooks", "[]");
  }

  private void callsOfServers() {
    tools.tool("tell", (request, reply) -> reply.text("I was told " + request.header("x-api-key")));
    tools.tool("err", (request, reply) -> reply.error("bad key " + request.header("x-api-key")));
    tools.tool(
        "secret", (request, reply) -> reply.text("secret " + request.header("x-internal-secret")));
    tools.tool(
        "die",
        (request, reply) ->
            reply.respond(
                500, Map.of(), "bad key " + request.header("authorization").substring(7)));
    var settings =
        "'type':'streamable-http','url':'%s','headers':{'X-Api-Key':'%s','Authorization':'Bearer %s'}"
            .formatted(tools.address(), canary("header of a server"), canary("bearer of a server"));
    for (var internal : List.of("false", "true")) {
      var prefix = added("canary" + internal, "'internal':" + internal + "," + settings);
      await()
          .atMost(SOON)
          .until(
              () ->
                  send(PostgresResource.ADMIN_TOKEN, "GET", "/api/agent/tools", "")
                      .asString()
                      .contains(prefix + "__die"));
      for (var tool : List.of("tell", "err", "secret", "die")) {
        run(FREE, prefix + "__" + tool, "{}");
        batch(prefix + "__" + tool);
      }
    }
    tools.on(
        "tools/list",
        (request, reply) -> reply.respond(401, Map.of(), "bad key " + request.header("x-api-key")));
    added("refusing", settings);
    seen("POST", "/api/mcp/servers/" + servers.getLast() + "/test", "");
  }

  private String added(String name, String settings) {
    var view =
        ok(
            "POST",
            "/api/mcp/servers",
            "{'name':'"
                + name
                + UUID.randomUUID().toString().substring(0, 8)
                + "',"
                + settings
                + "}");
    servers.add(view.getString("id"));
    return view.getString("toolPrefix");
  }

  private void programs() {
    added(
        "talker",
        ("'type':'stdio','command':'/bin/sh','args':['-c','env >&2; exit 9'],"
                + "'env':{'MY_API_KEY':'%s'}")
            .formatted(canary("variable of a program")));
    seen("POST", "/api/mcp/servers/" + servers.getLast() + "/test", "");
  }

  /** What is refused is not repeated. */
  private void refusals() {
    var address = "http://user:" + canary("password in an address") + "@127.0.0.1:9/x";
    seen(
        "POST",
        "/api/mcp/servers",
        "{'name':'named','type':'streamable-http','url':'" + address + "'}");
    seen(
        "PUT",
        "/api/settings/hooks",
        "[{'name':'h','event':'pre_tool_use','type':'http','url':'" + address + "'}]");
    seen("GET", "/api/agent/tools?token=" + canary("token in a query"), "");
    answers.append(send(canary("wrong token"), "GET", "/api/agent/tools", "").asString());
    seen(
        "POST",
        "/api/mcp/servers",
        "{'name':7,'type':'streamable-http','url':'http://127.0.0.1:9','headers':{'X-Key':'"
            + canary("header of a refused server")
            + "'}}");
    seen("POST", "/api/mcp/servers", "{'headers':{'X-Key':'" + canary("broken body"));
    seen("PUT", "/api/settings", "{'hookSecret':'" + canary("setting that is none") + "'}");
  }

  private void reads() {
    for (var path :
        List.of(
            "/api/settings",
            "/api/mcp/servers",
            "/api/mcp/status",
            "/api/agent/runs",
            "/api/agent/tools",
            "/api/agent/approvals",
            "/api/capabilities",
            "/api/security/process-isolation",
            "/q/health")) {
      seen("GET", path, "");
    }
    for (var run : runs) {
      for (var part : List.of("", "/events", "/receipts", "/files")) {
        seen("GET", "/api/agent/runs/" + run + part, "");
      }
    }
  }

  private void batch(String tool) {
    seen(
        "POST",
        "/api/agent/tools/batch",
        "{'permissionMode':'full-access','calls':[{'id':'c','name':'" + tool + "'}]}");
  }

  private void run(String config, String tool, String args) {
    var run =
        ok(
                "POST",
                "/api/agent/run",
                "{'goal':'plant',%s'workflow':{'steps':[{'toolName':'%s','args':%s}]}}"
                    .formatted(config, tool, args))
            .getString("runId");
    runs.add(run);
    await()
        .atMost(SOON)
        .until(
            () ->
                !List.of("PLANNING", "EXECUTING", "PENDING")
                    .contains(
                        send(PostgresResource.ADMIN_TOKEN, "GET", "/api/agent/runs/" + run, "")
                            .path("status")
                            .toString()));
  }

  private JsonPath ok(String method, String path, String body) {
    var response = seen(method, path, body);
    assertThat(response.statusCode()).as(response.asString()).isBetween(200, 204);
    return response.jsonPath();
  }

  private Response seen(String method, String path, String body) {
    var response = send(PostgresResource.ADMIN_TOKEN, method, path, body);
    answers.append(response.getHeaders()).append(response.asString()).append('\n');
    return response;
  }

  private static Response send(String token, String method, String path, String body) {
    var request = given().header("X-FengYu-Token", token).contentType("application/json");
    return (body.isEmpty() ? request : request.body(body.replace('\'', '"'))).request(method, path);
  }
}
