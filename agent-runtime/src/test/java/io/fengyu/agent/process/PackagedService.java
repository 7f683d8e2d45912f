package io.fengyu.agent.process;

import io.fengyu.contract.testing.PostgresResource;
import io.fengyu.contract.testing.PostgresServer;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The packaged program as a process with an environment of its own. */
record PackagedService(Process process, int port, Path log) implements AutoCloseable {

  private static final Path JAR = Path.of("target", "quarkus-app", "quarkus-run.jar");
  private static final Duration ENDS_WITHIN = Duration.ofSeconds(60);

  /** All that a start needs, for the tests to add to and to take from. */
  static Map<String, String> environment(Path folder, String database, String role) {
    var server = PostgresServer.shared();
    var environment = new TreeMap<String, String>();
    environment.put("DB_HOST", server.host());
    environment.put("DB_PORT", Integer.toString(server.port()));
    environment.put("DB_NAME", database);
    environment.put("DB_USER", role);
    environment.put("DB_PASSWORD", PostgresResource.PASSWORD);
    environment.put("DB_POOL_SIZE", "3");
    environment.put("FENGYU_TOKEN", PostgresResource.ADMIN_TOKEN);
    environment.put("INTERNAL_SERVICE_SECRET", PostgresResource.INTERNAL_SECRET);
    environment.put("FENGYU_MACHINE_KEY", "test-machine-key-0123456789abcdef");
    environment.put("DATA_DIR", folder.toString());
    environment.put("RATE_LIMIT_PER_MINUTE", "0");
    return environment;
  }

  static PackagedService start(Path folder, Map<String, String> environment) throws IOException {
    var port = freePort();
    var log = Files.createTempFile(folder, "service", ".log");
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var command =
        List.of(
            java, "-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-jar", JAR.toString());
    var builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    builder.environment().put("HTTP_PORT", Integer.toString(port));
    return new PackagedService(builder.start(), port, log);
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  String url(String path) {
    return "http://127.0.0.1:" + port + path;
  }

  /** How it ended, which has to be soon. */
  int exitCode() throws InterruptedException {
    if (!process.waitFor(ENDS_WITHIN.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("It still runs");
    }
    return process.exitValue();
  }

  String said() throws IOException {
    return Files.readString(log, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
