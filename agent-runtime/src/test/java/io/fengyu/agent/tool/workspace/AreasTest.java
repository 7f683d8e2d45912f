package io.fengyu.agent.tool.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.agent.tool.Calls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AreasTest {

  @TempDir private Path home;
  private Calls calls;

  @BeforeEach
  void start() throws IOException {
    calls = new Calls(home);
    Files.createDirectories(calls.workspace());
  }

  @Test
  void allAreasAreListedWithoutWhatIsHiddenOrALink() throws Exception {
    put("uploaded/in.csv", "a,b");
    put("workspace/sub/work.txt", "x");
    put("workspace/.hidden", "x");
    Files.createSymbolicLink(calls.workspace().resolve("link"), Path.of("/etc/passwd"));

    var all = calls.result(new WorkspaceList(), "{}").path("files");
    assertThat(all.findValuesAsText("path")).containsExactly("in.csv", "sub/work.txt");
    assertThat(all.findValuesAsText("area")).containsExactly("uploaded", "ephemeral");
    assertThat(all.path(0).path("size").asInt()).isEqualTo(3);

    var one = calls.result(new WorkspaceList(), "{'area':'ephemeral'}").path("files");
    assertThat(one.findValuesAsText("path")).containsExactly("sub/work.txt");
    assertThatThrownBy(() -> calls.result(new WorkspaceList(), "{'area':'other'}"))
        .hasMessageContaining("'area'");
  }

  @Test
  void publishingMakesANewVersionAndLeavesTheOldOneAlone() throws Exception {
    put("workspace/out.txt", "one");
    var first = publish("out.txt", "report.txt");
    put("workspace/out.txt", "two");
    var second = publish("out.txt", "report.txt");

    assertThat(first.path("version").asInt()).isEqualTo(1);
    assertThat(second.path("version").asInt()).isEqualTo(2);
    assertThat(second.path("path").asText()).isEqualTo("report.txt/2/report.txt");
    assertThat(home.resolve("derived/report.txt/1/report.txt")).hasContent("one");
    assertThat(home.resolve("derived/report.txt/2/report.txt")).hasContent("two");
    assertThat(calls.written.getLast()).isEqualTo(home.resolve("derived/report.txt/2/report.txt"));
    assertThat(calls.result(new WorkspaceList(), "{'area':'derived'}").path("files")).hasSize(2);
  }

  @Test
  void publishedAtOnceEachGetsAVersionOfItsOwn() throws Exception {
    put("workspace/out.txt", "one");

    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var calls =
          IntStream.range(0, 20)
              .mapToObj(i -> (Callable<JsonNode>) () -> publish("out.txt", "r.txt"))
              .toList();
      var versions =
          threads.invokeAll(calls).stream().map(one -> one.resultNow().path("version").asInt());
      assertThat(versions)
          .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, 20).boxed().toList());
    }
    assertThat(home.resolve("derived").toFile().list()).containsExactly("r.txt");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/etc/passwd", "../uploaded/in.csv", "link", "."})
  void onlyFilesOfTheEphemeralAreaArePublished(String path) throws Exception {
    put("uploaded/in.csv", "a,b");
    Files.createSymbolicLink(calls.workspace().resolve("link"), Path.of("/etc/passwd"));

    assertThatThrownBy(() -> publish(path, "x.txt")).isInstanceOf(Exception.class);
    assertThat(home.resolve("derived/x.txt")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"../x", "a/b", ".hidden", "con", "x\\u0000"})
  void aPublishedNameIsAPlainFileName(String name) throws Exception {
    put("workspace/out.txt", "one");

    assertThatThrownBy(() -> publish("out.txt", name)).hasMessageContaining("'name'");
  }

  @Test
  void variablesAreSetAndTakenAway() throws Exception {
    environment("{'action':'set','name':'REGION','value':'东 = #x'}");
    environment("{'action':'set','name':'N','value':'1'}");
    var left = environment("{'action':'unset','name':'N'}");

    assertThat(left.path("variables").toString()).isEqualTo("{\"REGION\":\"东 = #x\"}");
    assertThat(environment("{'action':'list'}")).isEqualTo(left);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PATH", "LD_PRELOAD", "ld_library_path", "1x", "A B", "BASH_ENV", "A=B"})
  void someVariablesCannotBeSet(String name) {
    assertThatThrownBy(() -> environment("{'action':'set','name':'" + name + "','value':'/x'}"))
        .hasMessageContaining("no variable of that name");
  }

  @Test
  void scriptsAreInstalledToBeRun() throws Exception {
    var after = environment("{'action':'install','name':'greet','content':'#!/bin/sh\\necho hi'}");

    assertThat(after.path("programs").path(0).asText()).isEqualTo("greet");
    assertThat(home.resolve("environment/bin/greet")).isExecutable();
    assertThat(environment("{'action':'remove','name':'greet'}").path("programs")).isEmpty();
    assertThatThrownBy(() -> environment("{'action':'remove','name':'greet'}"))
        .hasMessageContaining("no program");
    assertThatThrownBy(
            () -> environment("{'action':'install','name':'../x','content':'#!/bin/sh'}"))
        .hasMessageContaining("'name'");
  }

  private JsonNode environment(String args) throws Exception {
    return calls.result(new WorkspaceEnvironment(), args);
  }

  private JsonNode publish(String path, String name) throws Exception {
    return calls.result(
        new WorkspacePublish(), "{\"path\":\"" + path + "\",\"name\":\"" + name + "\"}");
  }

  private void put(String path, String content) throws IOException {
    var file = home.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }
}
