package io.fengyu.launcher;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** What the operating system offers beside Java. */
final class Shell {

  private Shell() {}

  static boolean root() {
    return new UnixSystem().getUid() == 0;
  }

  static boolean has(String program) {
    var path = System.getenv().getOrDefault("PATH", "") + ":/usr/sbin:/sbin:/usr/bin:/bin";
    for (var folder : path.split(":", -1)) {
      if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, program))) {
        return true;
      }
    }
    return false;
  }

  /** True when the command ends with 0 within some seconds. */
  static boolean works(List<String> command) {
    try {
      var process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException absent) {
      return false;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Runs to the end and returns what was printed; fails with its last line. */
  static String run(List<String> command, String what) {
    try {
      var process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      var output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (process.waitFor() != 0) {
        throw new LaunchException(what + " failed: " + lastLine(output));
      }
      return output;
    } catch (IOException absent) {
      throw new LaunchException(what + " failed: " + absent.getMessage(), absent);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new LaunchException(what + " was interrupted", stopped);
    }
  }

  static void signal(String signal, long pid) {
    works(List.of("/bin/sh", "-c", "kill -" + signal + " " + pid));
  }

  static boolean mac() {
    return System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac");
  }

  private static String lastLine(String output) {
    return output.substring(output.lastIndexOf('\n') + 1);
  }
}
