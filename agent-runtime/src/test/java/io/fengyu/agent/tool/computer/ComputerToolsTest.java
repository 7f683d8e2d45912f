package io.fengyu.agent.tool.computer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.agent.process.Children;
import io.fengyu.agent.tool.Calls;
import io.fengyu.agent.tool.Effect;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ComputerToolsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String UNAVAILABLE = "computer use unavailable: no display";

  @TempDir private Path root;
  private final Vertx vertx = Vertx.vertx();
  private final List<Process> started = new ArrayList<>();
  private Desktop desktop;
  private ComputerTools tools;

  @BeforeEach
  void nothingToSee() {
    desktop = desktop(Optional.empty(), Duration.ofMinutes(5));
    tools = tools();
  }

  @AfterEach
  void stop() throws Exception {
    desktop.close();
    for (var process : started) {
      process.destroyForcibly().waitFor();
    }
    vertx.close();
  }

  @Test
  void withoutADisplayEveryCallSaysSo() throws Exception {
    assertThat(tools.all()).hasSize(15);
    for (var tool : tools.all()) {
      var name = tool.spec().name().substring("computer_".length());
      assertThat(new Calls(root).text(tool, "{}"))
          .isEqualTo(
              "{\"success\":false,\"action\":\""
                  + name
                  + "\",\"summary\":\""
                  + UNAVAILABLE
                  + "\"}");
    }
  }

  @Test
  void aDisplayThatIsNotThereIsNoDisplay() throws Exception {
    use(":4711", Duration.ofMinutes(5));

    assertThat(call("screenshot", "{}").path("summary").asText()).isEqualTo(UNAVAILABLE);
    assertThat(desktop.running()).isFalse();
  }

  @Test
  void observingReadsAndEveryInputIsExternal() {
    assertThat(
            tools.all().stream()
                .filter(tool -> tool.spec().effect() == Effect.READ)
                .map(tool -> tool.spec().name()))
        .containsExactlyInAnyOrder(
            "computer_screenshot",
            "computer_displays",
            "computer_apps",
            "computer_cursor_position",
            "computer_wait");
    assertThat(tools.all())
        .allMatch(
            tool -> tool.spec().effect() == Effect.READ || tool.spec().effect() == Effect.EXTERNAL);
  }

  @Test
  void theScreenIsSeenAndTheMouseAndKeyboardReachAWindow() throws Exception {
    screen();
    var window = window();

    var shot = call("screenshot", "{}");
    assertThat(shot.path("success").asBoolean()).as(shot.path("summary").asText()).isTrue();
    assertThat(shot.path("scale").asDouble()).isEqualTo(1.0);
    var png = Base64.getDecoder().decode(shot.path("imageBase64").asText());
    var picture = ImageIO.read(new ByteArrayInputStream(png));
    assertThat(picture.getWidth()).isEqualTo(800);
    assertThat(picture.getRGB(200, 200) & 0xffffff).isEqualTo(0xff0000);
    assertThat(root.resolve("shots").resolve(shot.path("file").asText())).hasBinaryContent(png);
    assertThat(call("displays", "{}").path("displays").path(0).path("height").asInt())
        .isEqualTo(600);

    assertThat(call("mouse_move", "{'x':150,'y':160}").path("success").asBoolean()).isTrue();
    assertThat(call("cursor_position", "{}").path("x").asInt()).isEqualTo(150);
    assertThat(call("click", "{'x':220,'y':210}").path("success").asBoolean()).isTrue();
    assertThat(call("double_click", "{'x':230,'y':210,'button':'right'}").path("action").asText())
        .isEqualTo("double_click");
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                window.contains("pressed 220,210 button 1")
                    && Collections.frequency(window, "pressed 230,210 button 3") == 2);

    assertThat(call("type", "{'text':'Az 9?'}").path("success").asBoolean()).isTrue();
    assertThat(call("key_sequence", "{'keys':['b','Shift+c','Enter']}").path("summary").asText())
        .isEqualTo("Pressed 3 key(s).");
    await().atMost(PATIENCE).until(() -> typed(window).equals("Az 9?bC\n"));
  }

  private static String typed(List<String> window) {
    return List.copyOf(window).stream()
        .filter(line -> line.startsWith("typed "))
        .map(line -> Character.toString(Integer.parseInt(line.substring(6))))
        .collect(Collectors.joining());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "click {'x':5000,'y':1}",
        "click {'x':1}",
        "screenshot {'display':7}",
        "key {'key':'NoSuchKey'}",
        "key_sequence {'keys':[]}",
        "app_launch {'name':'--help'}",
        "app_activate {'name':'a;b'}"
      })
  void whatCannotBeDoneIsAFailureAndTheNextCallWorks(String call) throws Exception {
    screen();
    var parts = call.split(" ", 2);

    assertThat(call(parts[0], parts[1]).path("success").asBoolean()).isFalse();
    assertThat(call("cursor_position", "{}").path("success").asBoolean()).isTrue();
  }

  @Test
  void noMoreThanFiftyKeysInOneCall() throws Exception {
    screen();
    var keys = "'a',".repeat(50) + "'a'";

    assertThat(call("key_sequence", "{'keys':[" + keys + "]}").path("summary").asText())
        .contains("1 to 50");
  }

  @Test
  void aDisplayThatGoesAwayTakesNothingWithIt() throws Exception {
    var screen = screen();
    assertThat(call("cursor_position", "{}").path("success").asBoolean()).isTrue();

    screen.destroyForcibly().waitFor();

    await()
        .atMost(PATIENCE)
        .until(() -> call("screenshot", "{}").path("summary").asText().equals(UNAVAILABLE));
  }

  @Test
  void theProgramIsGoneWhenNobodyUsesIt() throws Exception {
    var number = display();
    use(number, Duration.ofSeconds(1));
    assertThat(call("cursor_position", "{}").path("success").asBoolean()).isTrue();

    await().atMost(PATIENCE).until(() -> !desktop.running());

    assertThat(call("cursor_position", "{}").path("success").asBoolean()).isTrue();
  }

  private JsonNode call(String name, String args) throws Exception {
    var tool =
        tools.all().stream()
            .filter(one -> one.spec().name().equals("computer_" + name))
            .findFirst()
            .orElseThrow();
    return new Calls(root).result(tool, args);
  }

  private Process screen() throws Exception {
    use(display(), Duration.ofMinutes(5));
    return started.getFirst();
  }

  private void use(String display, Duration idle) {
    desktop = desktop(Optional.of(display), idle);
    tools = tools();
  }

  /** A screen that nobody sees; it chooses its number. */
  private String display() throws IOException {
    assumeThat(Files.isExecutable(Path.of("/usr/bin/Xvfb"))).as("Xvfb").isTrue();
    var process =
        new ProcessBuilder(
                "Xvfb", "-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    started.add(process);
    try (var out = process.inputReader(StandardCharsets.UTF_8)) {
      return ":" + out.readLine();
    }
  }

  private List<String> window() throws IOException {
    var builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Djava.awt.headless=false",
            "-cp",
            Path.of("target/test-classes").toAbsolutePath().toString(),
            WindowProgram.class.getName());
    builder.environment().putAll(desktop.environment());
    var process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    started.add(process);
    List<String> lines = Collections.synchronizedList(new ArrayList<>());
    var out = process.inputReader(StandardCharsets.UTF_8);
    Thread.ofPlatform().daemon().start(() -> read(out, lines));
    await().atMost(PATIENCE).until(() -> lines.contains("shown"));
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              var png =
                  Base64.getDecoder().decode(call("screenshot", "{}").path("imageBase64").asText());
              return (ImageIO.read(new ByteArrayInputStream(png)).getRGB(200, 200) & 0xffffff)
                  == 0xff0000;
            });
    return lines;
  }

  private static void read(BufferedReader out, List<String> lines) {
    out.lines().forEach(lines::add);
  }

  private Desktop desktop(Optional<String> display, Duration idle) {
    return new Desktop(vertx, new Children(Duration.ofSeconds(15)), display, idle);
  }

  private ComputerTools tools() {
    var config =
        new ComputerConfig() {
          @Override
          public Optional<String> display() {
            return Optional.empty();
          }

          @Override
          public Path screenshots() {
            return root.resolve("shots");
          }
        };
    return new ComputerTools(
        desktop,
        new Screenshots(config, Clock.systemUTC()),
        new Applications(desktop),
        owner -> Uni.createFrom().item(true));
  }
}
