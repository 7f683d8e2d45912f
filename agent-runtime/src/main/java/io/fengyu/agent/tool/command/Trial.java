package io.fengyu.agent.tool.command;

import io.fengyu.agent.process.CleanEnvironment;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A program that is run once to see what works on this machine. */
final class Trial {

  private static final int SECONDS = 10;

  private Trial() {}

  /** What it wrote, a few characters; null when it is not there or does not end well. */
  static @Nullable String of(List<String> command) {
    try {
      var builder =
          new ProcessBuilder(command)
              .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
              .redirectError(Redirect.DISCARD);
      builder.environment().keySet().retainAll(CleanEnvironment.inherited().keySet());
      var trial = builder.start();
      if (!trial.waitFor(SECONDS, TimeUnit.SECONDS)) {
        trial.destroyForcibly();
        return null;
      }
      var said = new String(trial.getInputStream().readNBytes(100), StandardCharsets.UTF_8);
      return trial.exitValue() == 0 ? said : null;
    } catch (IOException notInstalled) {
      return null;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
