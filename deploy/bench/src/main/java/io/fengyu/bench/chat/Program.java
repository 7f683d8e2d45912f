package io.fengyu.bench.chat;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A process that says, on a line of its output, where it listens. */
public final class Program implements Closeable {

  private static final int START_SECONDS = 60;

  private final Process process;
  private final CompletableFuture<Integer> port = new CompletableFuture<>();

  private Program(Process process, Function<String, @Nullable Integer> said) {
    this.process = process;
    Thread.ofVirtual().start(() -> listen(said));
  }

  /** A class of this benchmark in a process of its own. */
  public static Program of(Class<?> main, String... words) throws Exception {
    var command = java("-Xmx1g", "-cp", System.getProperty("java.class.path"), main.getName());
    command.addAll(List.of(words));
    return started(
        command,
        Map.of(),
        line -> line.startsWith("PORT=") ? Integer.valueOf(line.substring(5).strip()) : null);
  }

  /** A packaged service. */
  public static Program service(Path jar, Map<String, String> variables) throws Exception {
    var port = Integer.valueOf(variables.getOrDefault("HTTP_PORT", "0"));
    var command = java("-Xmx1g", "-jar", jar.toString());
    return started(command, variables, line -> line.contains("Listening on") ? port : null);
  }

  private static List<String> java(String... words) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(words));
    return command;
  }

  private static Program started(
      List<String> command, Map<String, String> variables, Function<String, @Nullable Integer> said)
      throws Exception {
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(variables);
    var program = new Program(builder.start(), said);
    Runtime.getRuntime().addShutdownHook(new Thread(program.process::destroyForcibly));
    program.port.get(START_SECONDS, TimeUnit.SECONDS);
    return program;
  }

  private void listen(Function<String, @Nullable Integer> said) {
    var all = new StringBuilder();
    try (var lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        var found = port.isDone() ? null : said.apply(line);
        if (found != null) {
          port.complete(found);
        } else if (!port.isDone()) {
          all.append(line).append('\n');
        }
      }
    } catch (IOException ended) {
      port.completeExceptionally(ended);
    }
    port.completeExceptionally(new IllegalStateException("It did not start:\n" + all));
  }

  /** Where it listens. */
  public int port() {
    return port.join();
  }

  /** Its memory, garbage collected as far as it can be asked to. */
  public long resident() throws Exception {
    var collect =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(process.pid()),
                "GC.run")
            .redirectErrorStream(true)
            .start();
    collect.getInputStream().readAllBytes();
    collect.waitFor();
    return Wire.resident(process.pid());
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
