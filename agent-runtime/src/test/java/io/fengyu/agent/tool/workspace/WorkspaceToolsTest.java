package io.fengyu.agent.tool.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import io.fengyu.agent.tool.Calls;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkspaceToolsTest {

  private final Calls calls;
  private final Path root;
  private final Path workspace;

  WorkspaceToolsTest(@TempDir Path root) throws IOException {
    this.root = root;
    calls = new Calls(root);
    workspace = Files.createDirectories(calls.workspace());
  }

  @Test
  void aFileIsReadByLines() throws Exception {
    Files.writeString(workspace.resolve("a.txt"), "one\ntwo\nthree\n");

    var result = calls.result(new ReadFile(), "{'path':'a.txt','offset':2,'limit':1}");

    assertThat(result.path("content").asText()).isEqualTo("two");
    assertThat(result.path("totalLines").asInt()).isEqualTo(3);
    assertThat(result.path("truncated").asBoolean()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/etc/passwd",
        "../secret.txt",
        "a/../../secret.txt",
        "link.txt",
        "dir/secret.txt",
        "."
      })
  void noPathLeadsOutOfTheWorkspace(String path) throws Exception {
    Files.writeString(root.resolve("secret.txt"), "secret");
    Files.createSymbolicLink(workspace.resolve("link.txt"), root.resolve("secret.txt"));
    Files.createSymbolicLink(workspace.resolve("dir"), root);

    refused(new ReadFile(), "{\"path\":\"" + path + "\"}");
    refused(
        new WriteFile(),
        "{\"path\":\"" + path + "\",\"content\":\"x\",\"createDirectories\":true}");
    refused(new EditFile(), "{\"path\":\"" + path + "\",\"oldString\":\"s\",\"newString\":\"x\"}");
    assertThat(root.resolve("secret.txt")).hasContent("secret");
  }

  @Test
  void aGrantedFileCanBeReadByItsAbsolutePath(@TempDir Path other) throws Exception {
    var granted = Files.writeString(other.resolve("in.csv"), "a,b");
    calls.granting(List.of(granted), List.of());

    assertThat(
            calls.result(new ReadFile(), "{\"path\":\"" + granted + "\"}").path("content").asText())
        .isEqualTo("a,b");
    refused(new ReadFile(), "{\"path\":\"" + Files.writeString(other.resolve("x"), "x") + "\"}");
  }

  @Test
  void aPipeDoesNotHangTheRead() throws Exception {
    var made = new ProcessBuilder("mkfifo", workspace.resolve("pipe").toString()).start().waitFor();
    assertThat(made).isZero();

    Assertions.assertThatCode(() -> refused(new ReadFile(), "{'path':'pipe'}"))
        .doesNotThrowAnyException();
  }

  @Test
  void binaryAndLargeFilesAreRefused() throws Exception {
    Files.write(workspace.resolve("b.bin"), new byte[] {1, 0, 2});
    Files.write(workspace.resolve("latin.txt"), new byte[] {(byte) 0xe4, 'x'});
    Files.write(workspace.resolve("big.txt"), new byte[TextFile.LARGEST + 1]);

    assertThat(refused(new ReadFile(), "{'path':'b.bin'}")).contains("no text");
    assertThat(refused(new ReadFile(), "{'path':'latin.txt'}")).contains("no text");
    assertThat(refused(new ReadFile(), "{'path':'big.txt'}")).contains("2 MiB");
  }

  @Test
  void aNewFileIsWrittenAndReported() throws Exception {
    calls.text(new WriteFile(), "{'path':'n/e/w.txt','content':'hi','createDirectories':true}");

    assertThat(workspace.resolve("n/e/w.txt")).hasContent("hi");
    assertThat(calls.written).containsExactly(workspace.toRealPath().resolve("n/e/w.txt"));
    assertThat(refused(new WriteFile(), "{'path':'m/x.txt','content':'hi'}")).contains("m/x.txt");
  }

  @Test
  void overwritingNeedsAnUnchangedRead() throws Exception {
    var file = Files.writeString(workspace.resolve("a.txt"), "one");
    var write = "{'path':'a.txt','content':'two'}";

    assertThat(refused(new WriteFile(), write)).contains("read the file before");
    calls.text(new ReadFile(), "{'path':'a.txt'}");
    Files.writeString(file, "changed by somebody else");
    assertThat(refused(new WriteFile(), write)).contains("changed since");
    calls.text(new ReadFile(), "{'path':'a.txt'}");
    calls.text(new WriteFile(), write);
    calls.text(new WriteFile(), "{'path':'a.txt','content':'three'}");

    assertThat(file).hasContent("three");
    try (var left = Files.list(workspace)) {
      assertThat(left).hasSize(1);
    }
  }

  @Test
  void anEditMustBeUnambiguous() throws Exception {
    var file = Files.writeString(workspace.resolve("a.txt"), "x y x");
    assertThat(refused(new EditFile(), "{'path':'a.txt','oldString':'y','newString':'z'}"))
        .contains("read the file before");
    calls.text(new ReadFile(), "{'path':'a.txt'}");

    assertThat(refused(new EditFile(), "{'path':'a.txt','oldString':'x','newString':'z'}"))
        .contains("2 times");
    assertThat(refused(new EditFile(), "{'path':'a.txt','oldString':'q','newString':'z'}"))
        .contains("does not stand");
    calls.text(new EditFile(), "{'path':'a.txt','oldString':'y','newString':'$1'}");
    calls.text(
        new EditFile(), "{'path':'a.txt','oldString':'x','newString':'z','replaceAll':true}");

    assertThat(file).hasContent("z $1 z");
  }

  @Test
  void globFindsByNameAndByDirectory() throws Exception {
    for (var name : List.of("a.csv", "d/b.csv", "d/e/c.csv", "d/x.txt")) {
      Files.createDirectories(workspace.resolve(name).getParent());
      Files.writeString(workspace.resolve(name), "");
    }
    Files.createSymbolicLink(workspace.resolve("loop"), workspace);

    assertThat(found("*.csv")).isEqualTo("[\"a.csv\",\"d/b.csv\",\"d/e/c.csv\"]");
    assertThat(found("d/*.{csv,txt}")).isEqualTo("[\"d/b.csv\",\"d/x.txt\"]");
    assertThat(found("**/[bc].csv")).isEqualTo("[\"d/b.csv\",\"d/e/c.csv\"]");
    assertThat(
            calls
                .result(new Glob(), "{'pattern':'*','path':'d','maxResults':1}")
                .path("truncated")
                .asBoolean())
        .isTrue();
  }

  @Test
  void grepFindsLinesAndSkipsWhatIsNoText() throws Exception {
    Files.writeString(workspace.resolve("a.md"), "one\nneedle 42\n");
    Files.write(
        workspace.resolve("b.bin"), "needle\0".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    Files.writeString(workspace.resolve("c.txt"), "needle");

    var result = calls.result(new Grep(), "{\"pattern\":\"needle\\\\s[0-9]+\",\"glob\":\"*.md\"}");

    assertThat(result.path("matches"))
        .isEqualTo(Calls.json("[{\"path\":\"a.md\",\"line\":2,\"text\":\"needle 42\"}]"));
  }

  @ParameterizedTest
  @CsvSource({"(a+)+$", "(a|aa)+$", "(.*a){20}"})
  void aHostilePatternCostsNoTime(String pattern) throws Exception {
    Files.writeString(workspace.resolve("a.txt"), "a".repeat(20_000) + "!");

    Assertions.assertThat(
            Duration.ofNanos(
                timed(() -> calls.text(new Grep(), "{\"pattern\":\"" + pattern + "\"}"))))
        .isLessThan(Duration.ofSeconds(20));
    timed(() -> calls.text(new Glob(), "{'pattern':'**/**/**/**/**/**/*a*a*a*a*a*a*b'}"));
  }

  private interface Work {
    void run() throws Exception;
  }

  private static long timed(Work work) throws Exception {
    long begun = System.nanoTime();
    work.run();
    return System.nanoTime() - begun;
  }

  private String found(String pattern) throws Exception {
    return calls.result(new Glob(), "{\"pattern\":\"" + pattern + "\"}").path("files").toString();
  }

  private String refused(Tool tool, String args) {
    var refusal = Assertions.catchThrowable(() -> calls.text(tool, args));
    assertThat(refusal).as(args).isInstanceOf(ToolException.class);
    return String.valueOf(refusal.getMessage());
  }
}
