package io.fengyu.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

/** A started launcher and what it wrote about itself. */
record RunningSystem(Path data, List<Process> launcher) {

  static final RunningSystem NONE = new RunningSystem(Path.of(""), List.of());

  static RunningSystem start(Path data) throws Exception {
    return start(data, Map.of());
  }

  /** With more variables in its environment. */
  static RunningSystem start(Path data, Map<String, String> variables) throws Exception {
    var launcher = launcher(data, variables, "up", "--port=0");
    var lines = launcher.inputReader();
    var said = new StringBuilder();
    for (var line = lines.readLine(); ; line = lines.readLine()) {
      assertThat(line).as("the launcher ended: %s", said).isNotNull();
      said.append(line).append('\n');
      if (line.startsWith("The token is in")) {
        return new RunningSystem(data, List.of(launcher));
      }
    }
  }

  static Process launcher(Path data, String... words) throws IOException {
    return launcher(data, Map.of(), words);
  }

  private static Process launcher(Path data, Map<String, String> variables, String... words)
      throws IOException {
    var home = Path.of("").toAbsolutePath().resolve("../..").normalize();
    var command =
        Stream.concat(
                Stream.of(
                    Path.of(System.getProperty("java.home"), "bin/java").toString(),
                    "-Xmx24m",
                    "-jar",
                    home.resolve("deploy/launcher/target/launcher.jar").toString()),
                Stream.concat(Stream.of(words), Stream.of("--data-dir=" + data)))
            .toList();
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    List.of("DB_HOST", "FENGYU_TOKEN", "FENGYU_PORT").forEach(builder.environment()::remove);
    builder.environment().put("LC_ALL", "POSIX");
    builder.environment().putAll(variables);
    return builder.start();
  }

  int command(String... words) throws Exception {
    var process = launcher(data, words);
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    var code = process.waitFor();
    assertThat(code).as(output).isZero();
    return code;
  }

  int port() {
    return port("web-console");
  }

  int port(String service) {
    return Integer.parseInt(state().getProperty(service + ".port"));
  }

  long pid(String service) {
    return Long.parseLong(state().getProperty(service + ".pid", "-1"));
  }

  String token() throws IOException {
    return Files.readString(data.resolve("token")).strip();
  }

  /** What a service of this data directory was started with; empty while it is not. */
  String environment(String service) {
    return ProcessHandle.allProcesses()
        .filter(this::belongs)
        .map(process -> Path.of("/proc/" + process.pid()))
        .filter(process -> read(process.resolve("cmdline")).contains("/" + service + "/"))
        .map(process -> read(process.resolve("environ")))
        .findFirst()
        .orElse("");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException goneOrForeign) {
      return "";
    }
  }

  void killLauncher() throws InterruptedException {
    for (var each : launcher) {
      each.destroyForcibly().waitFor();
    }
  }

  void kill() throws InterruptedException {
    killLauncher();
  }

  /** Processes of this data directory that still run, the test itself aside. */
  List<String> leftovers() {
    return ProcessHandle.allProcesses()
        .filter(ProcessHandle::isAlive)
        .filter(p -> p.pid() != ProcessHandle.current().pid())
        .filter(this::belongs)
        .map(p -> p.pid() + " " + p.info().commandLine().orElse("?"))
        .toList();
  }

  private boolean belongs(ProcessHandle process) {
    var folder = Path.of("/proc/" + process.pid());
    return read(folder.resolve("cmdline")).contains(data.toString())
        || read(folder.resolve("environ")).contains(data.toString());
  }

  private Properties state() {
    var state = new Properties();
    try (var in = Files.newBufferedReader(data.resolve("state.properties"))) {
      state.load(in);
    } catch (IOException notWritten) {
      throw new java.io.UncheckedIOException(notWritten);
    }
    return state;
  }
}
