package io.fengyu.agent.process;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A small shell process that kills all children when this process has died or stands still. It is
 * told often over a pipe which sessions there are, and acts when the pipe breaks or stays silent
 * for half as long as a lease lasts. There is one while there are children.
 */
final class Watchdog {

  private static final Logger LOG = Logger.getLogger(Watchdog.class);
  private static final int BEATS = 4;
  private static final Duration LEAST = Duration.ofSeconds(2);

  // $1 is what the marks of our children begin with, $2 how many seconds of silence are too many.
  // The list of sessions finds those that cleared their environment; a session and its members are
  // named by the sixth field of stat.
  private static final String SCRIPT =
      """
      trap '' INT TERM HUP
      limit=; command -v timeout >/dev/null && limit="timeout $2"
      while :; do
        line=$($limit sh -c 'read -r line && printf %s "$line"') || break
        case "$line" in end) exit 0 ;; *) sessions=${line#+} ;; esac
      done
      pass=0
      while [ $pass -lt 50 ]; do
        found=
        for place in /proc/[0-9]*; do
          pid=${place#/proc/}
          [ "$pid" = $$ ] && continue
          mine=
          if grep -qaF "$1" $place/environ 2>/dev/null; then mine=1
          elif read -r stat < $place/stat; then
            set -- "$1" ${stat##*) }
            case " $sessions " in *" $5 "*) [ "$2" = Z ] || mine=1 ;; esac
          fi 2>/dev/null
          [ -n "$mine" ] && kill -KILL $pid 2>/dev/null && found=1
        done
        [ -n "$found" ] || exit 0
        pass=$((pass + 1))
      done
      """;

  private final ReentrantLock lock = new ReentrantLock();
  private final Set<Long> sessions = new LinkedHashSet<>();
  private final Duration silence;
  private int starting;
  private @Nullable Process shell;
  private @Nullable ScheduledExecutorService heart;

  /**
   * Watches over nothing yet.
   *
   * @param silence after so much of it this process counts as dead
   */
  Watchdog(Duration silence) {
    this.silence = silence.compareTo(LEAST) < 0 ? LEAST : silence;
  }

  /** A child is about to be started; {@link #watch} or {@link #off} follows. */
  void on() {
    lock.lock();
    try {
      starting++;
      if (heart == null) {
        begin();
      }
    } finally {
      lock.unlock();
    }
  }

  private void begin() {
    beat();
    long beat = silence.toMillis() / BEATS;
    var rhythm =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("watch-over-children").factory());
    var unused = rhythm.scheduleAtFixedRate(this::beat, beat, beat, TimeUnit.MILLISECONDS);
    heart = rhythm;
  }

  /** No child came of it. */
  void off() {
    lock.lock();
    try {
      starting--;
      endIfIdle();
    } finally {
      lock.unlock();
    }
  }

  /** The child that was about to be started leads this session. */
  void watch(long session) {
    lock.lock();
    try {
      starting--;
      sessions.add(session);
      beat();
    } finally {
      lock.unlock();
    }
  }

  /** The leader of that session has ended. */
  void forget(long session) {
    lock.lock();
    try {
      sessions.remove(session);
      endIfIdle();
    } finally {
      lock.unlock();
    }
  }

  private void endIfIdle() {
    if (starting == 0 && sessions.isEmpty()) {
      close();
    }
  }

  /** Lets the shell go; children that are left are nobody's any more. */
  void close() {
    lock.lock();
    try {
      var rhythm = heart;
      heart = null;
      if (rhythm != null) {
        rhythm.shutdown();
      }
      var process = shell;
      shell = null;
      if (process != null) {
        say(process, "end\n");
        process.getOutputStream().close();
      }
    } catch (IOException broken) {
      LOG.debugf("The watchdog had ended before: %s", broken.getMessage());
    } finally {
      lock.unlock();
    }
  }

  private void beat() {
    lock.lock();
    try {
      tell(true);
    } catch (IOException e) {
      LOG.errorf(e, "Nobody watches over the children of this process");
    } finally {
      lock.unlock();
    }
  }

  private void tell(boolean again) throws IOException {
    var process = shell;
    if (process == null || !process.isAlive()) {
      process = launch();
      shell = process;
    }
    var line = sessions.stream().map(String::valueOf).collect(Collectors.joining(" ", "+", "\n"));
    try {
      say(process, line);
    } catch (IOException killed) {
      shell = null;
      if (!again) {
        throw killed;
      }
      tell(false);
    }
  }

  private static void say(Process process, String line) throws IOException {
    process.getOutputStream().write(line.getBytes(StandardCharsets.US_ASCII));
    process.getOutputStream().flush();
  }

  private Process launch() throws IOException {
    var prefix = Mark.NAME + '=' + Mark.HERE + '/';
    var seconds = Long.toString(silence.toSeconds());
    var builder =
        new ProcessBuilder(List.of("/bin/sh", "-c", SCRIPT, "fengyu-watchdog", prefix, seconds))
            .redirectError(Redirect.DISCARD)
            .redirectOutput(Redirect.DISCARD);
    var environment = builder.environment();
    var clean = CleanEnvironment.of(environment);
    environment.clear();
    environment.putAll(clean);
    return builder.start();
  }
}
