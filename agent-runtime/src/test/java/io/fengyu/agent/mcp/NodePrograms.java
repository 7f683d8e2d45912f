package io.fengyu.agent.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** Programs from the protocol's own people, as npm brings them; a test without them is skipped. */
final class NodePrograms implements AutoCloseable {

  private static final Path SOURCE = Path.of("src/test/node");
  private static final Path WORK = Path.of("target/peers").toAbsolutePath();
  private static final long INSTALL_SECONDS = 180;
  private static final List<String> FILES =
      List.of("package.json", "package-lock.json", ".npmrc", "conformance.mjs");

  private final List<Process> started = new ArrayList<>();

  /** Installs them unless they are there. */
  static void install() throws Exception {
    if (!available("node") || !available("npm")) {
      skip("there is no node or npm on this machine");
    }
    Files.createDirectories(WORK);
    for (var file : FILES) {
      Files.copy(SOURCE.resolve(file), WORK.resolve(file), StandardCopyOption.REPLACE_EXISTING);
    }
    if (Files.exists(WORK.resolve("node_modules/.package-lock.json"))) {
      return;
    }
    try {
      run(INSTALL_SECONDS, "npm", "ci", "--ignore-scripts", "--prefer-offline");
    } catch (AssertionError unreachable) {
      skip("the programs cannot be installed: " + unreachable.getMessage());
    }
  }

  private static void skip(String reason) {
    System.out.println("SKIPPED OfficialServersTest: " + reason);
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

  /** Runs a command to its good end and gives what it said. */
  static String run(long seconds, String... command) throws Exception {
    var log = Files.createTempFile("peers", ".log");
    var process =
        new ProcessBuilder(command)
            .directory(WORK.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
    if (!ended) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    var output = Files.readString(log).strip();
    Files.delete(log);
    assertThat(ended).as("%s took over %d s: %s", command[0], seconds, output).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output;
  }

  /** The script of an installed server. */
  static String script(String name) {
    return WORK.resolve("node_modules/@modelcontextprotocol")
        .resolve(name)
        .resolve("dist/index.js")
        .toString();
  }

  /** Starts the server that has everything, on a port of its own. */
  int everything(String transport) throws Exception {
    int port = freePort();
    var builder =
        new ProcessBuilder("node", script("server-everything"), transport)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("PORT", Integer.toString(port));
    started.add(builder.start());
    Awaitility.await().atMost(java.time.Duration.ofSeconds(60)).until(() -> listens(port));
    return port;
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static boolean listens(int port) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  @Override
  public void close() {
    started.forEach(Process::destroyForcibly);
  }
}
