package io.fengyu.agent.tool.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fengyu.agent.process.Children;
import io.fengyu.agent.tool.Calls;
import io.fengyu.agent.tool.command.CommandConfig.Wanted;
import io.fengyu.agent.tool.command.Sandbox.Backend;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkspaceRunTest {

  @TempDir private Path home;
  private Calls calls;

  @BeforeEach
  void start() {
    calls = new Calls(home);
  }

  @ParameterizedTest
  @ValueSource(strings = {"UPLOADED", "DERIVED", "ENVIRONMENT"})
  void aCommandReadsTheOtherAreasAndCannotWriteThem(String area) throws Exception {
    var place = Files.createDirectories(home.resolve(area.toLowerCase(Locale.ROOT)));
    Files.writeString(place.resolve("in.txt"), "given");
    // Not even where nothing else confines anything.
    calls.unconfined = true;

    assertThat(run("cat $" + area + "/in.txt").path("stdout").asText()).isEqualTo("given");
    assertThat(run("cat ../" + area.toLowerCase(Locale.ROOT) + "/in.txt").path("success"))
        .isEqualTo(JsonNodeFactory.instance.booleanNode(true));
    for (var command :
        new String[] {
          "echo x > $" + area + "/new.txt",
          "echo x >> $" + area + "/in.txt",
          "rm $" + area + "/in.txt",
          "chmod 777 $" + area,
          "ln -s $" + area + " away && echo x > away/new.txt",
          "mv $" + area + " elsewhere"
        }) {
      assertThat(run(command).path("success").asBoolean()).as(command).isFalse();
    }
    assertThat(place.resolve("in.txt")).hasContent("given");
    assertThat(place)
        .isDirectoryContaining("glob:**in.txt")
        .isDirectoryNotContaining("glob:**new*");
  }

  @Test
  void whatItWritesIsInTheEphemeralAreaAndIsTold() throws Exception {
    assertThat(run("mkdir out && echo done > out/a.txt").path("exitCode").asInt()).isZero();

    assertThat(calls.workspace().resolve("out/a.txt")).hasContent("done");
    assertThat(calls.written).containsExactly(calls.workspace().resolve("out/a.txt"));
  }

  @Test
  void itFindsTheProgramsAndVariablesOfTheConversation() throws Exception {
    var environment = home.resolve("environment");
    Files.createDirectories(environment.resolve("bin"));
    Files.writeString(environment.resolve("variables.properties"), "REGION=east\n");
    var program = Files.writeString(environment.resolve("bin/greet"), "#!/bin/sh\necho hi $REGION");
    assertThat(program.toFile().setExecutable(true)).isTrue();

    assertThat(run("greet").path("stdout").asText()).isEqualTo("hi east\n");
  }

  @Test
  void itReachesNoNetworkAndNothingElseOfTheMachine() throws Exception {
    assertThat(run("cat /proc/net/dev").path("stdout").asText().lines().skip(2))
        .allMatch(line -> line.strip().startsWith("lo:"));
    Files.writeString(home.resolve("beside.txt"), "not part of it");
    assertThat(run("cat ../beside.txt").path("success").asBoolean()).isFalse();
  }

  @Test
  void withoutASandboxNothingRuns() {
    assertThatThrownBy(() -> calls.text(tool(Wanted.NONE), "{'command':'true'}"))
        .hasMessageContaining("need a sandbox");
  }

  private JsonNode run(String command) throws Exception {
    assumeThat(new Sandbox(new TestCommandConfig(Wanted.AUTO, false)).backend())
        .isEqualTo(Backend.BUBBLEWRAP);
    var args = JsonNodeFactory.instance.objectNode().put("command", command);
    return calls.result(tool(Wanted.AUTO), args.toString());
  }

  private static WorkspaceRun tool(Wanted sandbox) {
    var config = new TestCommandConfig(sandbox, false);
    return new WorkspaceRun(
        new Children(Duration.ofSeconds(15)),
        new Sandbox(config),
        new Limits(config),
        Clock.systemUTC());
  }
}
