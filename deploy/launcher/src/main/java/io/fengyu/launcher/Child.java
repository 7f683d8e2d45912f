package io.fengyu.launcher;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One process that is meant to run: started again when it ends by itself, until it is stopped. */
final class Child {

  /** How a child is made; asked again for every start, because ports may have been taken. */
  interface Plan {
    ProcessBuilder next();

    boolean ready();
  }

  private static final Duration STABLE = Duration.ofSeconds(30);
  private static final long LONGEST_PAUSE_MS = 10_000;

  private final String name;
  private final Plan plan;
  private final Path log;
  private final Watchdog watchdog;
  private final String stopSignal;
  private final Runnable onRestart;

  private boolean wanted;
  private @Nullable Process process;
  private @Nullable Thread supervisor;
  private Instant startedAt = Instant.EPOCH;
  private int restarts;

  Child(
      String name, Plan plan, Path log, Watchdog watchdog, String stopSignal, Runnable onRestart) {
    this.name = name;
    this.plan = plan;
    this.log = log;
    this.watchdog = watchdog;
    this.stopSignal = stopSignal;
    this.onRestart = onRestart;
  }

  String name() {
    return name;
  }

  synchronized void start() {
    if (wanted) {
      return;
    }
    wanted = true;
    launch();
    supervisor = Thread.ofPlatform().name("watch-" + name).daemon().start(this::supervise);
  }

  /** True once the process answers; false when it takes longer than that. */
  boolean awaitReady(Duration atMost) {
    return awaitReady(atMost, () -> false);
  }

  /** Likewise; false also once that is given up. */
  boolean awaitReady(Duration atMost, BooleanSupplier givenUp) {
    return poll(atMost, () -> givenUp.getAsBoolean() || (plan.ready() && alive()))
        && !givenUp.getAsBoolean();
  }

  synchronized boolean alive() {
    return process != null && process.isAlive();
  }

  synchronized boolean wanted() {
    return wanted;
  }

  synchronized long pid() {
    return process != null && process.isAlive() ? process.pid() : -1;
  }

  synchronized int restarts() {
    return restarts;
  }

  synchronized Duration age() {
    return Duration.between(startedAt, Instant.now());
  }

  /** Asks the process to end. */
  void signalStop() {
    Thread watching;
    long pid;
    synchronized (this) {
      wanted = false;
      watching = supervisor;
      supervisor = null;
      pid = pid();
    }
    if (watching != null) {
      watching.interrupt();
    }
    if (pid > 0) {
      Shell.signal(stopSignal, pid);
    }
  }

  /** Waits for the end, and enforces it afterwards. */
  void awaitStopped(Duration atMost) {
    Process ending;
    synchronized (this) {
      ending = process;
    }
    if (ending == null) {
      return;
    }
    try {
      if (!ending.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
        ending.destroyForcibly();
        if (!ending.waitFor(5, TimeUnit.SECONDS)) {
          throw new LaunchException(name + " does not end");
        }
      }
      watchdog.forget(ending.pid());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends it the hard way, as a crash would; it is started again like after any crash. */
  synchronized void kill() {
    if (process == null || !process.isAlive()) {
      throw new LaunchException(name + " is not running");
    }
    process.destroyForcibly();
  }

  private synchronized void launch() {
    try {
      var started =
          plan.next()
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      watchdog.watch(started.pid(), stopSignal.equals("INT"));
      started.getOutputStream().close();
      process = started;
      startedAt = Instant.now();
    } catch (IOException failed) {
      throw new LaunchException("Cannot start " + name + ": " + failed.getMessage(), failed);
    }
  }

  private void supervise() {
    var pause = 250L;
    try {
      while (true) {
        var code = waitForEnd();
        if (!wanted()) {
          return;
        }
        pause = age().compareTo(STABLE) > 0 ? 250 : Math.min(LONGEST_PAUSE_MS, pause * 2);
        Log.say(name + " ended with " + code + "; starting it again in " + pause + " ms");
        Thread.sleep(pause);
        if (!relaunch()) {
          return;
        }
        onRestart.run();
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private int waitForEnd() throws InterruptedException {
    Process current;
    synchronized (this) {
      current = process;
    }
    if (current == null) {
      return -1;
    }
    var code = current.waitFor();
    watchdog.forget(current.pid());
    return code;
  }

  private synchronized boolean relaunch() {
    if (!wanted) {
      return false;
    }
    restarts++;
    try {
      launch();
    } catch (LaunchException failed) {
      Log.say(String.valueOf(failed.getMessage())); // tried again after the next pause
    }
    return true;
  }

  private static boolean poll(Duration atMost, BooleanSupplier condition) {
    var deadline = System.nanoTime() + atMost.toNanos();
    while (System.nanoTime() < deadline) {
      if (condition.getAsBoolean()) {
        return true;
      }
      try {
        Thread.sleep(50);
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return false;
  }
}
