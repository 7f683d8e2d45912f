package io.fengyu.agent.tool.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jboss.logging.Logger;

/** Gives commands views of files, processes and the network of their own, by bubblewrap. */
final class Bubblewrap {

  private static final Logger LOG = Logger.getLogger(Bubblewrap.class);

  private Bubblewrap() {}

  /** True when it can be used here, which is tried out. */
  static boolean works() {
    return Trial.of(around(List.of("/bin/true"), Path.of("/"), List.of(), List.of(), false))
        != null;
  }

  /**
   * A command in the sandbox.
   *
   * @param readable real paths, besides those of the system
   */
  static List<String> around(
      List<String> command,
      Path directory,
      List<Path> readable,
      List<Path> writable,
      boolean network) {
    var line = new ArrayList<String>(List.of("bwrap", "--unshare-all"));
    if (network) {
      line.add("--share-net");
    }
    line.addAll(List.of("--die-with-parent", "--new-session", "--cap-drop", "ALL"));
    line.addAll(List.of("--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"));
    Sandbox.SYSTEM.forEach(place -> addSystem(line, Path.of(place)));
    addResolver(line);
    readable.forEach(place -> add(line, "--ro-bind-try", place));
    writable.forEach(place -> add(line, "--bind-try", place));
    line.addAll(List.of("--remount-ro", "/", "--setenv", "HOME", "/tmp"));
    line.addAll(List.of("--setenv", "TMPDIR", "/tmp", "--chdir", directory.toString(), "--"));
    line.addAll(command);
    return line;
  }

  private static void addSystem(List<String> line, Path place) {
    try {
      if (Files.isSymbolicLink(place)) {
        line.addAll(
            List.of("--symlink", Files.readSymbolicLink(place).toString(), place.toString()));
      } else if (Files.isDirectory(place)) {
        add(line, "--ro-bind", place);
      }
    } catch (IOException gone) {
      LOG.debugf("%s is not part of the sandbox", place);
    }
  }

  // Names are often resolved as a file outside of /etc says.
  private static void addResolver(List<String> line) {
    try {
      var real = Path.of("/etc/resolv.conf").toRealPath();
      if (!real.startsWith("/etc")) {
        add(line, "--ro-bind-try", real);
      }
    } catch (IOException none) {
      LOG.debug("No resolver is configured");
    }
  }

  private static void add(List<String> line, String how, Path place) {
    line.addAll(List.of(how, place.toString(), place.toString()));
  }
}
