package io.fengyu.agent.tool.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Confines commands by Landlock, which needs no rights, so that it works in containers. Java of
 * this release cannot make system calls; a short program of the system's Perl does, and becomes the
 * command.
 */
final class Landlock {

  // From this version on, connections over TCP can be refused.
  private static final int KNOWS_TCP = 4;
  private static final List<String> DEVICES =
      List.of("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty");
  // Programs look here for how much there is of the machine; nothing of it is about processes.
  private static final List<String> MACHINE =
      List.of(
          "/proc/cpuinfo",
          "/proc/meminfo",
          "/proc/stat",
          "/proc/uptime",
          "/proc/loadavg",
          "/proc/version",
          "/proc/filesystems",
          "/sys/devices/system/cpu");

  /** Read when Landlock is first needed. */
  private static final class Program {

    static final String TEXT = read();
    static final int VERSION = version(Trial.of(List.of("perl", "-e", TEXT, "probe")));

    private static String read() {
      try (InputStream program = Landlock.class.getResourceAsStream("/sandbox/landlock.pl")) {
        return new String(Objects.requireNonNull(program).readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException notThere) {
        throw new UncheckedIOException(notThere);
      }
    }

    private static int version(@org.jspecify.annotations.Nullable String said) {
      return said != null && said.matches("[0-9]{1,3}") ? Integer.parseInt(said) : 0;
    }
  }

  private Landlock() {}

  /** What the kernel knows; 0 when it, or Perl, is not there. */
  static int version() {
    return Program.VERSION;
  }

  static boolean confinesTcp() {
    return version() >= KNOWS_TCP;
  }

  /**
   * A command in the sandbox.
   *
   * @param temporary its home, and where it puts temporary files
   * @param readable real paths, besides those of the system
   */
  static List<String> around(
      List<String> command,
      Path temporary,
      List<Path> readable,
      List<Path> writable,
      boolean network) {
    var line = new ArrayList<String>(List.of("perl", "-e", Program.TEXT, "run"));
    line.add(network ? "net" : "nonet");
    Sandbox.SYSTEM.forEach(place -> line.add("x:" + place));
    MACHINE.forEach(place -> line.add("x:" + place));
    DEVICES.forEach(place -> line.add("d:" + place));
    line.add("x:" + resolver());
    readable.forEach(place -> line.add("x:" + place));
    writable.forEach(place -> line.add("w:" + place));
    line.add("t:" + temporary);
    line.add("--");
    line.addAll(command);
    return line;
  }

  // Names are often resolved as a file outside of /etc says.
  private static Path resolver() {
    var file = Path.of("/etc/resolv.conf");
    try {
      return file.toRealPath();
    } catch (IOException none) {
      return file;
    }
  }
}
