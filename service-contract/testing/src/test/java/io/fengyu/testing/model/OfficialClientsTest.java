package io.fengyu.testing.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OfficialClientsTest {

  private static final Path SOURCE = Path.of("src/test/node");
  private static final Path WORK = Path.of("target/peers");
  private static final long INSTALL_SECONDS = 120;
  private static final long RUN_SECONDS = 90;

  @Test
  void theProvidersOwnClientsUnderstandTheScriptedModel() throws Exception {
    installed();

    try (var server = ModelServer.start()) {
      var said = run(RUN_SECONDS, "node", "peers.mjs", server.address().toString());

      assertThat(said).endsWith("done");
      assertThat(said.lines().filter(line -> line.startsWith("ok ")).count()).isEqualTo(18);
    }
  }

  private static void installed() throws Exception {
    if (!available("node") || !available("npm")) {
      skip("there is no node or npm on this machine");
    }
    Files.createDirectories(WORK);
    for (var file : List.of("package.json", "package-lock.json", ".npmrc", "peers.mjs")) {
      Files.copy(SOURCE.resolve(file), WORK.resolve(file), StandardCopyOption.REPLACE_EXISTING);
    }
    if (Files.exists(WORK.resolve("node_modules/.package-lock.json"))) {
      return;
    }
    try {
      run(INSTALL_SECONDS, "npm", "ci", "--ignore-scripts", "--prefer-offline");
    } catch (AssertionError unreachable) {
      skip("the clients cannot be installed: " + unreachable.getMessage());
    }
  }

  private static void skip(String reason) {
    System.out.println("SKIPPED OfficialClientsTest: " + reason);
    abort(reason);
  }

  private static boolean available(String program) {
    try {
      return new ProcessBuilder(program, "--version")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException missing) {
      return false;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static String run(long seconds, String... command) throws Exception {
    var log = Files.createTempFile("peers", ".log");
    var process =
        new ProcessBuilder(command)
            .directory(WORK.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    var ended = process.waitFor(seconds, TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly();
    }
    var output = Files.readString(log).strip();
    Files.delete(log);
    assertThat(ended).as("%s took over %d s: %s", command[0], seconds, output).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output;
  }
}
