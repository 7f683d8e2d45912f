package io.fengyu.launcher;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The programs that make up the system, the database aside. */
enum Service {
  CHAT("chat-service", 8081, "chat", 64),
  AGENT("agent-runtime", 8082, "agent", 448),
  WORKFLOW("workflow-service", 8083, "workflow", 96),
  SCHEDULER("task-scheduler", 8084, "scheduler", 64),
  WEBHOOK("webhook-gateway", 8085, "webhook", 64),
  EDGE("web-console", 24056, null, 64);

  private final String module;
  private final int port;
  private final @Nullable String schema;
  private final int heapMb;

  Service(String module, int port, @Nullable String schema, int heapMb) {
    this.module = module;
    this.port = port;
    this.schema = schema;
    this.heapMb = heapMb;
  }

  static Service named(String name) {
    for (var service : values()) {
      if (service.module.equals(name) || (service == EDGE && name.equals("edge"))) {
        return service;
      }
    }
    throw new LaunchException("No service " + name + "; there are " + names() + ", postgres");
  }

  static String names() {
    var names = new ArrayList<String>();
    for (var service : values()) {
      names.add(service.module);
    }
    return String.join(", ", names);
  }

  String module() {
    return module;
  }

  /** The port it listens on while that is free. */
  int port() {
    return port;
  }

  /** Part of its database role's name; null for the one without a database. */
  @Nullable String schema() {
    return schema;
  }

  /** The name in the peers document; the variable is this in capitals with {@code _URL}. */
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * A small heap that is given back when idle, and compiled code and class data kept small; only
   * agent-runtime computes enough to earn the second compiler.
   */
  List<String> command(Path home, Path java, boolean training) {
    var folder = home.resolve(module).resolve("target");
    var command = new ArrayList<>(List.of(java.toString(), "-Xms8m", "-Xmx" + heapMb + "m"));
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:MinHeapFreeRatio=10",
            "-XX:MaxHeapFreeRatio=20",
            "-Xss512k",
            "-XX:ReservedCodeCacheSize=" + (this == AGENT ? 96 : 48) + "m",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:-UsePerfData",
            // Class data is mapped where it was laid out, so its pages stay shared and unread.
            "-XX:+IgnoreUnrecognizedVMOptions",
            "-XX:TrimNativeHeapInterval=30000",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:ArchiveRelocationMode=0",
            "-Dio.netty.allocator.type=unpooled",
            "-Dio.netty.eventLoopThreads=2",
            "-Dvertx.disableDnsResolver=true",
            "-Dvertx.disableURIValidation=true", // unreadable addresses get our problem body
            "-Djava.util.logging.manager=org.jboss.logmanager.LogManager"));
    if (this != AGENT) {
      command.add("-XX:TieredStopAtLevel=1");
    }
    if (Runtime.version().feature() >= 25) {
      command.add("-XX:+UseCompactObjectHeaders");
    }
    classData(command, folder, training);
    command.add("-jar");
    command.add(folder.resolve("quarkus-app/quarkus-run.jar").toString());
    return command;
  }

  private void classData(List<String> command, Path folder, boolean training) {
    var archive = folder.resolve("classes.jsa");
    if (training) {
      command.add("-XX:ArchiveClassesAtExit=" + archive);
    } else if (Files.exists(archive)) {
      command.add("-XX:SharedArchiveFile=" + archive);
      command.add("-Xshare:auto");
    }
    command.add("-Xlog:disable");
    command.add("-Xlog:all=error:stderr");
  }
}
