package io.fengyu.agent.tool.computer;

import io.fengyu.agent.tool.ToolException;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Programs with windows: which there are, and how they are opened and brought to the front. */
@Singleton
class Applications {

  private static final int WITHIN_SECONDS = 10;
  private static final int MOST = 200;
  // No option, no quote, nothing that a shell or PowerShell would take for its own.
  private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N} ._()+-]{0,120}");

  private final Desktop desktop;

  Applications(Desktop desktop) {
    this.desktop = desktop;
  }

  /** Titles of the open windows, or names of what runs. */
  List<String> list() throws ToolException, InterruptedException {
    var lines =
        switch (Desktop.system()) {
          case "windows" ->
              run(
                  "powershell",
                  "-NoProfile",
                  "-Command",
                  "Get-Process | Where-Object MainWindowTitle | ForEach-Object MainWindowTitle");
          case "mac" ->
              run(
                  "osascript",
                  "-e",
                  "tell application \"System Events\" to get name of every process whose visible is"
                      + " true");
          default -> windows(run("wmctrl", "-l"));
        };
    return lines.stream().filter(line -> !line.isBlank()).limit(MOST).toList();
  }

  // 0x01200003  0 host title of the window
  private static List<String> windows(List<String> lines) {
    return lines.stream().map(line -> line.replaceFirst("^\\S+\\s+\\S+\\s+\\S+\\s*", "")).toList();
  }

  void launch(String name) throws ToolException, InterruptedException {
    switch (Desktop.system()) {
      case "windows" ->
          run("powershell", "-NoProfile", "-Command", "Start-Process '" + checked(name) + "'");
      case "mac" -> run("open", "-a", checked(name));
      default -> run("gtk-launch", checked(name));
    }
  }

  void activate(String name) throws ToolException, InterruptedException {
    switch (Desktop.system()) {
      case "windows" ->
          run(
              "powershell",
              "-NoProfile",
              "-Command",
              "(New-Object -ComObject WScript.Shell).AppActivate('" + checked(name) + "')");
      case "mac" -> run("open", "-a", checked(name));
      default -> run("wmctrl", "-a", checked(name));
    }
  }

  private static String checked(String name) throws ToolException {
    if (!NAME.matcher(name).matches()) {
      throw new ToolException("that is no name of an application");
    }
    return name;
  }

  // Applications are meant to stay when the call is over, so they are not children that end with
  // it.
  private List<String> run(String... line) throws ToolException, InterruptedException {
    try {
      var builder =
          new ProcessBuilder(line)
              .redirectErrorStream(true)
              .redirectInput(Redirect.from(new java.io.File("/dev/null")));
      builder.environment().clear();
      builder.environment().putAll(desktop.environment());
      return output(line[0], builder.start());
    } catch (IOException notInstalled) {
      throw new ToolException(line[0] + " is not installed here");
    }
  }

  private static List<String> output(String program, Process process)
      throws ToolException, IOException, InterruptedException {
    var lines = new ArrayList<String>();
    var reader =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try (var in = process.inputReader(StandardCharsets.UTF_8)) {
                    in.lines().limit(MOST * 2L).forEach(lines::add);
                  } catch (IOException gone) {
                    lines.clear();
                  }
                });
    if (!process.waitFor(WITHIN_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new ToolException(program + " did not end in time");
    }
    reader.join(1_000);
    if (process.exitValue() != 0) {
      throw new ToolException(program + " failed: " + String.join(" ", List.copyOf(lines)).strip());
    }
    return List.copyOf(lines);
  }
}
