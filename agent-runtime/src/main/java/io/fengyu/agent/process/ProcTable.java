package io.fengyu.agent.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The processes of this machine as its kernel shows them. */
final class ProcTable {

  private static final Path PROC = Path.of("/proc");
  private static final Pattern MARK =
      Pattern.compile("(?:^|\\x00)" + Mark.NAME + "=[^/\\x00]*/([^/\\x00]*)/");
  private static final int PARENT = 1;
  private static final int SESSION = 3;
  private static final int STARTED = 19;

  private ProcTable() {}

  /**
   * A process.
   *
   * @param started in ticks since the machine started; with the id it names one process for ever
   */
  record Proc(long pid, long parent, long session, long started, String name) {}

  /** False where the kernel tells nothing of this kind. */
  static boolean known() {
    return Files.isReadable(PROC.resolve("self/stat"));
  }

  /** All that live right now; those that have ended and are not collected yet are left out. */
  static Map<Long, Proc> living() {
    var living = new HashMap<Long, Proc>();
    try (var entries = Files.newDirectoryStream(PROC, "[0-9]*")) {
      entries.forEach(
          entry -> read(entry.getFileName().toString()).ifPresent(p -> living.put(p.pid(), p)));
    } catch (IOException | DirectoryIteratorException e) {
      throw new IllegalStateException("the list of processes cannot be read", e);
    }
    return living;
  }

  private static Optional<Proc> read(String pid) {
    try {
      return parse(
          Files.readString(PROC.resolve(pid).resolve("stat"), StandardCharsets.ISO_8859_1));
    } catch (IOException goneMeanwhile) {
      return Optional.empty();
    }
  }

  // The name stands in brackets and may hold anything, brackets and spaces too.
  private static Optional<Proc> parse(String stat) {
    int name = stat.indexOf('(');
    int end = stat.lastIndexOf(')');
    var rest = stat.substring(end + 2).split(" ", -1);
    if (rest[0].equals("Z") || rest[0].equals("X")) {
      return Optional.empty();
    }
    return Optional.of(
        new Proc(
            Long.parseLong(stat.substring(0, name - 1)),
            Long.parseLong(rest[PARENT]),
            Long.parseLong(rest[SESSION]),
            Long.parseLong(rest[STARTED]),
            stat.substring(name + 1, end)));
  }

  /** The environment of a process, entries ended by NUL; empty when it can't be read. */
  static String environment(Proc process) {
    try {
      var file = PROC.resolve(Long.toString(process.pid())).resolve("environ");
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException foreignOrGone) {
      return "";
    }
  }

  /** What a process was started for, if it carries a mark. */
  static Optional<String> mark(Proc process) {
    var found = MARK.matcher(environment(process));
    return found.find() ? Optional.of(found.group(1)) : Optional.empty();
  }
}
