package io.fengyu.agent.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fengyu.agent.tool.LivingProcesses;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ChildrenTest {

  private static final Duration SOON = Duration.ofSeconds(20);

  private final String name = UUID.randomUUID().toString();
  private Process host;

  /** A process of ours with two children, one of which has hidden as well as it can. */
  public static void main(String[] args) throws Exception {
    var script = "(setsid sh -c 'sleep 300; : " + args[0] + "' &) ; env -i sh -c 'sleep 300; : ";
    new Children(Duration.ofSeconds(15)).start(start(args[0], script + args[0] + "'"));
    Thread.sleep(300_000);
  }

  private static Children.Start start(String work, String script) {
    var environment = Map.of("PATH", "/usr/bin:/bin");
    var command = List.of("/bin/sh", "-c", script);
    return new Children.Start(work, command, Path.of("/"), environment, false, false);
  }

  @BeforeEach
  void start() throws IOException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    host =
        new ProcessBuilder(
                java,
                "-Xmx32m",
                "-cp",
                System.getProperty("java.class.path"),
                ChildrenTest.class.getName(),
                name)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    await().atMost(SOON).until(() -> children() >= 3);
  }

  @AfterEach
  void end() {
    host.destroyForcibly();
  }

  private long children() {
    return LivingProcesses.with(name).stream().filter(line -> line.contains("sleep")).count();
  }

  @Test
  void childrenEndWithAProcessThatIsKilled() {
    host.destroyForcibly();

    await().atMost(Duration.ofSeconds(5)).until(() -> LivingProcesses.with(name).isEmpty());
  }

  @Test
  void childrenEndWhenTheirProcessStandsStillForLongerThanItsLeaseAllows() throws IOException {
    new ProcessBuilder("kill", "-STOP", Long.toString(host.pid())).start();

    await().atMost(Duration.ofSeconds(10)).until(() -> children() == 0);
  }

  @Test
  void aStartThatIsInterruptedLeavesNothingBehind() {
    var unwanted = UUID.randomUUID().toString();
    Thread.currentThread().interrupt();

    assertThatThrownBy(
            () ->
                new Children(Duration.ofSeconds(15))
                    .start(start(unwanted, "sleep 300; : " + unwanted)))
        .isInstanceOf(InterruptedException.class);

    assertThat(LivingProcesses.with(unwanted)).isEmpty();
  }

  @Test
  void whatWasStartedForAWorkIsFoundByAnyProcess() {
    assertThat(
            new Children(Duration.ofSeconds(15))
                .endLeftBehind(Set.of(UUID.randomUUID().toString())))
        .isTrue();
    assertThat(children()).isGreaterThanOrEqualTo(3);

    assertThat(new Children(Duration.ofSeconds(15)).endLeftBehind(Set.of(name))).isTrue();
    assertThat(children()).isZero();
  }
}
