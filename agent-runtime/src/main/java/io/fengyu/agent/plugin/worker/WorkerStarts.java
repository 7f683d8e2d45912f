package io.fengyu.agent.plugin.worker;

import io.fengyu.agent.plugin.archive.Manifest.Backend;
import io.fengyu.agent.plugin.market.Installed;
import io.fengyu.agent.plugin.market.PluginPlaces;
import io.fengyu.agent.process.Child;
import io.fengyu.agent.process.Children;
import io.fengyu.agent.process.CleanEnvironment;
import io.fengyu.agent.tool.command.Sandbox;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Starts the process of a plugin, confined as far as this machine can. */
@ApplicationScoped
class WorkerStarts {

  private final Children children;
  private final Sandbox sandbox;
  private final PluginPlaces places;
  private final String limits;

  WorkerStarts(Children children, Sandbox sandbox, PluginPlaces places, WorkerConfig config) {
    this.children = children;
    this.sandbox = sandbox;
    this.places = places;
    this.limits =
        """
        exec 3>&2 2>/dev/null
        ulimit -c 0
        ulimit -d %d
        ulimit -f 8388608
        exec 2>&3 3>&-
        exec "$@"
        """
            .formatted(config.memoryMib() * 1024L);
  }

  /** What confines plugins here, when they are confined. */
  Sandbox.Backend backend() {
    return sandbox.backend();
  }

  Child start(Installed plugin, WorkerKey key) throws IOException, InterruptedException {
    var home = places.home(plugin);
    var data = places.data(plugin);
    var environment = CleanEnvironment.inherited();
    environment.put("FENGYU_PLUGIN_ROOT", home.toString());
    environment.put("FENGYU_PLUGIN_DATA", data.toString());
    var line = new ArrayList<>(List.of("/bin/sh", "-c", limits, "sh"));
    line.addAll(confined(plugin, key, home, data));
    return children.start(
        new Children.Start(
            "plugin-" + UUID.randomUUID(), line, home, environment, true, sandboxStays(key)));
  }

  private boolean sandboxStays(WorkerKey key) {
    return key.sandboxed() && sandbox.stays();
  }

  private List<String> confined(Installed plugin, WorkerKey key, Path home, Path data)
      throws IOException {
    var program = program(plugin, home);
    if (!key.sandboxed()) {
      return program;
    }
    var readable = new ArrayList<>(List.of(home, javaHome()));
    readable.addAll(key.readable());
    var writable = new ArrayList<>(List.of(data));
    writable.addAll(key.writable());
    var temporary = Files.createDirectories(data.resolve(".tmp"));
    return sandbox.around(
        program, home, temporary, readable, writable, plugin.manifest().mayUseNetwork());
  }

  private static List<String> program(Installed plugin, Path home) {
    var backend = plugin.manifest().backend();
    if (backend == null || backend.command().isEmpty()) {
      return List.of(
          java(),
          "-Xmx256m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Dfile.encoding=UTF-8",
          "-jar",
          home.resolve("backend/worker.jar").toString());
    }
    return named(backend, home);
  }

  /** A program of the package goes by its path in it; java is the one that runs this. */
  private static List<String> named(Backend backend, Path home) {
    var line = new ArrayList<>(backend.command());
    var program = line.getFirst();
    if (program.equals("java")) {
      line.set(0, java());
    } else if (Files.isRegularFile(home.resolve(program))) {
      line.set(0, home.resolve(program).toString());
    }
    return line;
  }

  private static String java() {
    return javaHome().resolve("bin").resolve("java").toString();
  }

  private static Path javaHome() {
    return Path.of(System.getProperty("java.home"));
  }
}
