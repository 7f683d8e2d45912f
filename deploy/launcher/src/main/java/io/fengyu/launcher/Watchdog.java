package io.fengyu.launcher;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Ends the children when the launcher is killed: a tiny shell process that is told their ids over a
 * pipe and acts when the pipe breaks.
 */
final class Watchdog {

  private static final String SCRIPT =
      """
      trap '' INT TERM HUP
      jvms= ; dbs=
      without() { out=; for p in $1; do [ "$p" = "$2" ] || out="$out $p"; done; }
      while read -r op kind pid; do
        case "$op" in
          '+') if [ "$kind" = db ]; then dbs="$dbs $pid"; else jvms="$jvms $pid"; fi ;;
          '-') without "$dbs" "$pid"; dbs=$out; without "$jvms" "$pid"; jvms=$out ;;
          end) exit 0 ;;
        esac
      done
      [ -z "$jvms" ] || kill -KILL $jvms 2>/dev/null
      [ -z "$dbs" ] || kill -INT $dbs 2>/dev/null
      for i in 1 2 3 4 5 6 7 8; do
        [ -n "$dbs" ] && kill -0 $dbs 2>/dev/null || exit 0
        sleep 1
      done
      kill -QUIT $dbs 2>/dev/null
      """;

  private final Map<Long, String> watched = new ConcurrentHashMap<>();
  private final List<String> detached;
  private @Nullable Process shell;

  Watchdog(List<String> detached) {
    this.detached = detached;
  }

  synchronized void start() {
    try {
      var command = new java.util.ArrayList<>(detached);
      command.addAll(List.of("/bin/sh", "-c", SCRIPT, "fengyu-watchdog"));
      var process =
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      shell = process;
      watched.forEach((pid, kind) -> tell("+ " + kind + " " + pid));
    } catch (IOException failed) {
      throw new LaunchException("Cannot start /bin/sh: " + failed.getMessage(), failed);
    }
  }

  synchronized void watch(long pid, boolean database) {
    watched.put(pid, database ? "db" : "jvm");
    tell("+ " + watched.get(pid) + " " + pid);
  }

  synchronized void forget(long pid) {
    watched.remove(pid);
    tell("- any " + pid);
  }

  /** Nothing is left to be watched. */
  synchronized void end() {
    tell("end");
  }

  private void tell(String line) {
    var process = shell;
    if (process == null) {
      return;
    }
    try {
      OutputStream pipe = process.getOutputStream();
      pipe.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
      pipe.flush();
    } catch (IOException killed) {
      shell = null;
      start();
    }
  }
}
