package io.fengyu.bench;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** The whole packaged system on a fresh data directory, started as a user starts it. */
final class Stack implements Closeable {

  private static final Duration START = Duration.ofSeconds(90);
  private static final Duration STOP = Duration.ofSeconds(45);
  private static final String READY = "FENGYU_PORT=";

  private final Process launcher;
  private final Thread onExit;
  private final Path data;
  private final CompletableFuture<Integer> port = new CompletableFuture<>();

  private Stack(Process launcher, Path data) {
    this.launcher = launcher;
    this.data = data;
    this.onExit = new Thread(launcher::destroy);
  }

  /** Returns once everything is ready. */
  static Stack up() throws Exception {
    Path data = Files.createTempDirectory("fengyu-bench");
    var stack = new Stack(launch(data, "up", "--port=0"), data);
    Runtime.getRuntime().addShutdownHook(stack.onExit);
    Thread.ofVirtual().start(stack::listen);
    try {
      stack.port.get(START.toSeconds(), TimeUnit.SECONDS);
      return stack;
    } catch (Exception e) {
      stack.close();
      throw e;
    }
  }

  private static Process launch(Path data, String... words) throws IOException {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dfengyu.home=" + Home.directory(),
                "-jar",
                launcherJar().toString()));
    command.addAll(List.of(words));
    command.add("--data-dir=" + data);
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  /** Gives the running system a command, such as {@code scale agent-runtime 2}. */
  void command(String... words) throws IOException, InterruptedException {
    var command = launch(data, words);
    var said = new String(command.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (command.waitFor() != 0) {
      throw new IllegalStateException(said);
    }
  }

  /** The single origin, without a slash at its end. */
  URI origin() {
    return URI.create("http://127.0.0.1:" + port.join());
  }

  /** A request to that path of the origin with the token of its owner. */
  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(origin().resolve(path))
        .timeout(Duration.ofSeconds(60))
        .header("X-FengYu-Token", token());
  }

  /** Root of everything the launcher keeps: database, files, logs. */
  Path data() {
    return data;
  }

  /** The launcher; its descendants are the services and the database. */
  ProcessHandle launcher() {
    return launcher.toHandle();
  }

  private String token() {
    try {
      return Files.readString(data.resolve("token")).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the launcher's output to its end, so that it never blocks on a full pipe. */
  private void listen() {
    var said = new StringBuilder();
    try (var lines =
        new BufferedReader(
            new InputStreamReader(launcher.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(READY)) {
          port.complete(Integer.valueOf(line.substring(READY.length()).strip()));
        } else if (!port.isDone()) {
          said.append(line).append('\n');
        }
      }
    } catch (IOException e) {
      port.completeExceptionally(e);
    }
    port.completeExceptionally(new IllegalStateException("The system did not start:\n" + said));
  }

  private static Path launcherJar() {
    Path jar = Home.directory().resolve("deploy/launcher/target/launcher.jar");
    if (!Files.exists(jar)) {
      throw new IllegalStateException("Not built: " + jar);
    }
    return jar;
  }

  @Override
  public void close() throws IOException {
    launcher.destroy();
    try {
      launcher.onExit().orTimeout(STOP.toSeconds(), TimeUnit.SECONDS).join();
    } catch (CompletionException late) {
      launcher.descendants().forEach(ProcessHandle::destroyForcibly);
      launcher.destroyForcibly();
    }
    Runtime.getRuntime().removeShutdownHook(onExit);
    try (var files = Files.walk(data)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }
  }
}
