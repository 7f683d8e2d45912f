package io.fengyu.agent.tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What runs on this machine right now. */
public final class LivingProcesses {

  private LivingProcesses() {}

  /** Command lines of living processes with that word. */
  public static List<String> with(String word) {
    var found = new ArrayList<String>();
    try (var all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (var place : all) {
        commandLine(place).filter(line -> line.contains(word)).ifPresent(found::add);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return found;
  }

  private static Optional<String> commandLine(Path place) {
    try {
      return Optional.of(Files.readString(place.resolve("cmdline")));
    } catch (IOException gone) {
      return Optional.empty();
    }
  }
}
