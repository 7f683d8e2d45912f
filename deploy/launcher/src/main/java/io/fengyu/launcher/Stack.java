package io.fengyu.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All processes of the system, and what can be done with them. */
final class Stack {

  private static final int MOST_REPLICAS = 16;
  private static final Duration READY_WITHIN = Duration.ofSeconds(90);
  private static final Duration SERVICES_STOP_WITHIN = Duration.ofSeconds(26);

  /** A program that writes down which classes it loaded needs longer on a busy machine. */
  private static final Duration TRAINED_SERVICES_STOP_WITHIN = Duration.ofMinutes(5);

  private static final Duration DATABASE_STOPS_WITHIN = Duration.ofSeconds(8);

  private final DataDirectory directory;
  private final Watchdog watchdog = new Watchdog(PostgresUser.detached());
  private final Surroundings surroundings;
  private final Replicas replicas = new Replicas();
  private final @Nullable Database database;
  private final StateFile state;
  private final Duration servicesStopWithin;
  private volatile boolean stopping;

  Stack(DataDirectory directory, Path home, Path java, String token, int port, boolean training) {
    this.directory = directory;
    this.servicesStopWithin = training ? TRAINED_SERVICES_STOP_WITHIN : SERVICES_STOP_WITHIN;
    this.database =
        Surroundings.FOREIGN_DATABASE
            ? null
            : new Database(
                new Postgres(directory, home, new Helper(java)),
                directory,
                watchdog,
                this::restarted);
    this.state = new StateFile(directory, database, replicas);
    this.surroundings =
        new Surroundings(
            directory,
            home,
            java,
            token,
            training,
            () -> database == null ? 0 : database.port(),
            replicas::addresses);
    for (var service : Service.values()) {
      add(service, 1, service == Service.EDGE ? port : service.port());
    }
  }

  /** Starts everything; what does not need the database does not wait for it. */
  void start() {
    watchdog.start();
    replicas.ofService(Service.EDGE).forEach(Child::start);
    if (database != null) {
      database.start();
    }
    replicas.children().forEach(Child::start);
    awaitReady(replicas.children());
    announce(); // a port may have been taken since the first of them was told of it
    state.write();
  }

  /** Waits for nothing any more that is just starting: everything will be stopped. */
  void giveUp() {
    stopping = true;
  }

  int port() {
    return replicas.edge().port();
  }

  void startService(String name) {
    if (name.equals("postgres")) {
      database().start();
      return;
    }
    var children = replicas.named(name);
    children.forEach(Child::start);
    awaitReady(children);
    announce();
  }

  void stopService(String name) {
    if (name.equals("postgres")) {
      database().stop(DATABASE_STOPS_WITHIN);
      return;
    }
    stop(replicas.named(name), SERVICES_STOP_WITHIN);
  }

  void kill(String name) {
    if (name.equals("postgres")) {
      database().child().kill();
      return;
    }
    replicas.named(name).forEach(Child::kill);
  }

  /** Brings the number of a service's processes to this. */
  void scale(String name, int wanted) {
    var service = Service.named(name);
    if (service == Service.EDGE || wanted < 1 || wanted > MOST_REPLICAS) {
      throw new LaunchException(
          "A service other than the edge can have 1 to " + MOST_REPLICAS + " replicas");
    }
    var started = new ArrayList<Child>();
    for (var number = replicas.ofService(service).size() + 1; number <= wanted; number++) {
      started.add(add(service, number, 0));
    }
    started.forEach(Child::start);
    awaitReady(started);
    var surplus = replicas.takeSurplus(service, wanted);
    announce();
    stop(surplus, SERVICES_STOP_WITHIN);
    state.write();
  }

  /** Stops everything in good order, the database last. */
  void stopAll() {
    stopping = true;
    stop(replicas.children(), servicesStopWithin);
    if (database != null) {
      database.stop(DATABASE_STOPS_WITHIN);
    }
    watchdog.end();
    state.delete();
  }

  /** One line for each process. */
  List<String> status() {
    var lines = new ArrayList<String>();
    lines.add(
        String.format("%-20s %-9s %7s %6s %8s %8s", "", "state", "pid", "port", "age", "crashes"));
    if (database != null) {
      lines.add(line(database.child(), database.port()));
    }
    replicas.forEach((replica, child) -> lines.add(line(child, replica.port())));
    return lines;
  }

  private static String line(Child child, int port) {
    var state = child.alive() ? "running" : child.wanted() ? "starting" : "stopped";
    return String.format(
        "%-20s %-9s %7s %6d %7ds %8d",
        child.name(),
        state,
        child.alive() ? Long.toString(child.pid()) : "-",
        port,
        child.alive() ? child.age().toSeconds() : 0,
        child.restarts());
  }

  private Child add(Service service, int number, int wantedPort) {
    var replica = new Replica(service, number, wantedPort, surroundings);
    var child =
        new Child(
            replica.name(), replica, replica.log(directory), watchdog, "TERM", this::restarted);
    replicas.add(replica, child);
    return child;
  }

  /** A process came back, maybe on another port. */
  private void restarted() {
    if (!stopping) {
      announce();
      state.write();
      Thread.ofVirtual().name("announce").start(this::announceAgain);
    }
  }

  /** What was itself just starting could not be told, and began with older addresses. */
  private void announceAgain() {
    replicas.children().stream()
        .filter(Child::wanted)
        .forEach(child -> child.awaitReady(READY_WITHIN));
    if (!stopping) {
      announce();
    }
  }

  private static void stop(List<Child> children, Duration atMost) {
    children.parallelStream().forEach(Child::signalStop);
    var deadline = System.nanoTime() + atMost.toNanos();
    for (var child : children) {
      child.awaitStopped(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
    }
  }

  private void awaitReady(List<Child> children) {
    var late =
        children.stream()
            .filter(child -> !child.awaitReady(READY_WITHIN, () -> stopping))
            .map(Child::name)
            .toList();
    if (stopping) {
      throw new LaunchException("Stopped before everything was ready");
    }
    if (!late.isEmpty()) {
      throw new LaunchException(
          String.join(", ", late)
              + " did not get ready; see "
              + directory.log(late.getFirst())
              + lastWords(directory.log(late.getFirst())));
    }
  }

  private static String lastWords(Path log) {
    try (var lines = Files.lines(log)) {
      return lines
          .filter(l -> l.contains("ERROR"))
          .reduce((a, b) -> b)
          .map(l -> "\n" + l)
          .orElse("");
    } catch (IOException unreadable) {
      return "";
    }
  }

  /** Tells every process where all the others are. */
  private void announce() {
    var document = replicas.peers();
    for (var replica : replicas.keys()) {
      var status =
          Http.put(replica.port(), "/internal/peers", directory.secret("internal"), document);
      if (status != 204 && status != 200 && status != 0) {
        Log.say(replica.name() + " did not take the new addresses: " + status);
      }
    }
  }

  private Database database() {
    if (database == null) {
      throw new LaunchException("The database is not run by this launcher (DB_HOST is set)");
    }
    return database;
  }
}
