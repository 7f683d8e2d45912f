package io.fengyu.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** What the whole system costs while nobody uses it, and how soon it serves. */
final class FootprintBench implements Bench {

  private static final Duration SETTLE = Duration.ofSeconds(15);
  private static final Duration IDLE = Duration.ofSeconds(30);
  private static final int TICKS_PER_SECOND = 100;

  @Override
  public String about() {
    return "seconds to the first request, resident memory, idle CPU and idle SQL of the system";
  }

  @Override
  public void run(Lab lab) throws Exception {
    lab.quiet();
    Path data = Files.createTempDirectory("fengyu-footprint");
    lab.opened(() -> delete(data));
    double first = startAndStop(data);
    long began = System.nanoTime();
    try (var system = RunningLauncher.start(data)) {
      double again = secondsToFirstRequest(system, began);
      Thread.sleep(SETTLE.toMillis());
      report(lab, system, first, again);
    }
  }

  private static double startAndStop(Path data) throws Exception {
    long began = System.nanoTime();
    try (var system = RunningLauncher.start(data)) {
      return secondsToFirstRequest(system, began);
    }
  }

  private static double secondsToFirstRequest(RunningLauncher system, long began)
      throws IOException, InterruptedException {
    try (var client = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(URI.create(system.origin() + "/api/workflows"))
              .header("X-FengYu-Token", system.token())
              .build();
      int status = client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
      if (status != 200) {
        throw new IllegalStateException("The first request was answered with " + status);
      }
      return (System.nanoTime() - began) / 1e9;
    }
  }

  private static void report(Lab lab, RunningLauncher system, double first, double again)
      throws Exception {
    Map<String, Long> pids = system.programs();
    long ticks = ticks(pids);
    long statements = transactions(system);
    Thread.sleep(IDLE.toMillis());
    double cpu = (ticks(pids) - ticks) * 100.0 / TICKS_PER_SECOND / IDLE.toSeconds();
    double sql = (transactions(system) - statements) / (double) IDLE.toSeconds();

    var memory = lab.table("program", "resident MB");
    double sum = 0;
    for (var program : pids.entrySet()) {
      double megabytes = residentKb(program.getValue()) / 1024.0;
      memory.row(program.getKey(), one(megabytes));
      sum += program.getKey().equals("postgres") ? 0 : megabytes;
    }
    memory.print();
    lab.table("figure", "measured", "limit", "aim")
        .row("seconds to the first request, new data", one(first), "14", "7")
        .row("seconds to the first request, again", one(again), "14", "7")
        .row("resident MB of all JVMs, idle", one(sum), "900", "550")
        .row("% of a core, idle (JVMs and postgres)", one(cpu), "5", "1")
        .row("SQL transactions a second, idle", one(sql), "20", "5")
        .print();
  }

  private static String one(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static long transactions(RunningLauncher system) throws SQLException {
    try (var connection =
            DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + system.state("postgres.port") + "/fengyu",
                "postgres",
                system.secret("db.postgres"));
        var rows =
            connection
                .createStatement()
                .executeQuery(
                    "SELECT sum(xact_commit + xact_rollback) FROM pg_stat_database"
                        + " WHERE datname = 'fengyu'")) {
      rows.next();
      return rows.getLong(1);
    }
  }

  /** User and system time used so far, children of Postgres included. */
  private static long ticks(Map<String, Long> pids) throws IOException {
    long sum = 0;
    for (var program : pids.entrySet()) {
      sum += ticks(program.getValue());
      if (program.getKey().equals("postgres")) {
        var backends = ProcessHandle.of(program.getValue()).orElseThrow().children().toList();
        for (var backend : backends) {
          sum += ticks(backend.pid());
        }
      }
    }
    return sum;
  }

  private static long ticks(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
  }

  private static long residentKb(long pid) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    throw new IOException("No memory figure for " + pid);
  }

  private static void delete(Path data) throws IOException {
    try (var files = Files.walk(data)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** A launcher started exactly as the start script starts it. */
  private record RunningLauncher(Process process, Path data) implements AutoCloseable {

    static RunningLauncher start(Path data) throws IOException {
      var command =
          new ProcessBuilder(
                  Home.directory().resolve("fengyu").toString(),
                  "up",
                  "--foreground",
                  "--port=0",
                  "--data-dir=" + data)
              .redirectErrorStream(true);
      Process process = command.start();
      var lines = process.inputReader();
      var said = new StringBuilder();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        said.append(line).append('\n');
        if (line.startsWith("The token is in")) {
          return new RunningLauncher(process, data);
        }
      }
      throw new IllegalStateException("The system did not start:\n" + said);
    }

    String origin() {
      return "http://127.0.0.1:" + state("web-console.port");
    }

    String token() throws IOException {
      return Files.readString(data.resolve("token")).strip();
    }

    String secret(String name) {
      return read("secrets").getProperty(name);
    }

    String state(String key) {
      return read("state.properties").getProperty(key);
    }

    Map<String, Long> programs() {
      var pids = new TreeMap<String, Long>();
      Properties state = read("state.properties");
      for (String key : state.stringPropertyNames()) {
        if (key.endsWith(".pid")) {
          pids.put(key.replace(".pid", ""), Long.valueOf(state.getProperty(key)));
        }
      }
      return pids;
    }

    private Properties read(String file) {
      var properties = new Properties();
      try (var in = Files.newBufferedReader(data.resolve(file))) {
        properties.load(in);
      } catch (IOException unreadable) {
        throw new java.io.UncheckedIOException(unreadable);
      }
      return properties;
    }

    @Override
    public void close() {
      process.destroy();
      process.onExit().orTimeout(45, java.util.concurrent.TimeUnit.SECONDS).join();
    }
  }
}
