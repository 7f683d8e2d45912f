package io.fengyu.launcher;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Does what needs memory or a database driver in a short-lived process of its own. */
final class Helper {

  private final Path java;

  Helper(Path java) {
    this.java = java;
  }

  void run(String task, List<String> arguments) {
    var command =
        new ArrayList<>(
            List.of(
                java.toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                task));
    command.addAll(arguments);
    Shell.run(command, task.replace('-', ' '));
  }
}
