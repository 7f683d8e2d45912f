package io.fengyu.agent.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.fengyu.agent.mcp.McpClient.Server;
import io.fengyu.testing.node.NodeFolder;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The protocol's own servers, as real processes, and its examination of clients. */
@QuarkusTest
class OfficialServersTest {

  @TempDir Path place;

  private final McpClient admin = McpClient.admin();
  private NodeFolder folder;
  private NodePrograms programs;
  private Server own;

  @BeforeEach
  void install() throws Exception {
    folder = NodeFolder.installed("OfficialServersTest", "conformance.mjs");
    programs = new NodePrograms(folder);
  }

  @AfterEach
  void stop() {
    if (programs != null) {
      programs.close();
    }
    if (own != null) {
      own.delete();
    }
  }

  @Test
  void theServerThatHasEverythingWorksOverStreamableHttp() throws Exception {
    int port = programs.everything("streamableHttp");

    callsEverything("'type':'streamable-http','url':'http://127.0.0.1:" + port + "/mcp'");
  }

  @Test
  void theServerThatHasEverythingWorksOverTheOlderProtocol() throws Exception {
    int port = programs.everything("sse");

    callsEverything("'type':'sse','url':'http://127.0.0.1:" + port + "','endpoint':'/sse'");
  }

  @Test
  void theServerThatHasEverythingWorksAsAProgram() {
    callsEverything(program("server-everything", "stdio"));
  }

  private String program(String server, String argument) {
    return "'type':'stdio','command':'node','args':['"
        + programs.script(server)
        + "','"
        + argument
        + "']";
  }

  private void callsEverything(String how) {
    own = admin.connected(McpClient.freshName("everything"), how + ",'requestTimeoutSeconds':60");

    var run =
        admin.run(
            own.step("echo", "{'message':'hällo'}")
                + ","
                + own.step("get-sum", "{'a':2,'b':40}")
                + ","
                + own.step("get-structured-content", "{'location':'New York'}")
                + ","
                + own.step("get-tiny-image", "{}")
                + ","
                + own.step("trigger-long-running-operation", "{'duration':1,'steps':4}"));

    assertThat(run.status()).as(run.error()).isEqualTo("COMPLETED");
    assertThat(run.result(0)).contains("hällo");
    assertThat(run.result(1)).contains("42");
    assertThat(run.result(2)).startsWith("{").contains("temperature");
    assertThat(run.result(3)).contains("\"imageBase64\":\"iVBOR", "\"mimeType\":\"image/png\"");
    assertThat(run.result(4)).contains("completed");
    var wrong = own.run("get-sum", "{'a':'two'}");
    assertThat(wrong.status()).isEqualTo("FAILED");
    assertThat(wrong.receipt(0)).isEqualTo("failed");
  }

  @Test
  void theFileServerReadsAndWritesInItsPlaceAndNowhereElse() throws Exception {
    own =
        admin.connected(
            McpClient.freshName("files"),
            program("server-filesystem", place.toRealPath().toString())
                + ",'toolEffects':{'read_text_file':'read'}");
    var file = place.toRealPath().resolve("note.txt");

    var run =
        admin.run(
            own.step("write_file", "{'path':'" + file + "','content':'kept'}")
                + ","
                + own.step("list_directory", "{'path':'" + place.toRealPath() + "'}"));

    assertThat(run.detail().getString("executions[0].status")).isEqualTo("COMPLETED");
    assertThat(Files.readString(file)).isEqualTo("kept");
    assertThat(own.run("read_text_file", "{'path':'" + file + "'}").result(0)).contains("kept");
    var outside = own.run("read_text_file", "{'path':'/etc/passwd'}");
    assertThat(outside.error()).containsIgnoringCase("denied");
  }

  @ParameterizedTest
  @ValueSource(strings = {"initialize", "tools_call", "sse-retry"})
  void theConformanceSuiteFindsNothingWrong(String scenario) throws Exception {
    var arguments = place.resolve("java.args");
    var classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    Files.writeString(
        arguments,
        "-Xmx128m -XX:TieredStopAtLevel=1 -cp \"" + classPath.replace("\\", "\\\\") + "\"");

    var said =
        folder.run(
            Duration.ofMinutes(2),
            "node",
            "conformance.mjs",
            "client",
            "--scenario",
            scenario,
            "--timeout",
            "60000",
            "--command",
            Path.of(System.getProperty("java.home"), "bin", "java")
                + " @"
                + arguments
                + " "
                + ConformanceClient.class.getName());

    assertThat(said).doesNotContain("FAILURE");
  }
}
