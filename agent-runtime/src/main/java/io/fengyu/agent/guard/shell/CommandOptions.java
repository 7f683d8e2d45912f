package io.fengyu.agent.guard.shell;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** Options of programs whose value is run as a command line. */
final class CommandOptions {

  /** Options whose value is run as a command line. */
  private static final Map<String, Set<String>> ALL =
      Map.ofEntries(
          Map.entry(
              "tar",
              Set.of(
                  "--to-command",
                  "--use-compress-program",
                  "-I",
                  "--info-script",
                  "-F",
                  "--new-volume-script",
                  "--rsh-command",
                  "--rmt-command")),
          Map.entry("bsdtar", Set.of("--use-compress-program")),
          Map.entry("split", Set.of("--filter")),
          Map.entry("sort", Set.of("--compress-program")),
          Map.entry("rsync", Set.of("-e", "--rsh", "--rsync-path")),
          Map.entry("scp", Set.of("-S")),
          Map.entry("sftp", Set.of("-S")),
          Map.entry("zip", Set.of("-TT", "--unzip-command")),
          Map.entry("man", Set.of("-P", "--pager", "-H", "--html")),
          Map.entry("su", Set.of("-c", "--command", "--session-command")),
          Map.entry("runuser", Set.of("-c", "--command", "--session-command")),
          Map.entry("sg", Set.of("-c")),
          Map.entry("script", Set.of("-c", "--command")),
          Map.entry("flock", Set.of("-c", "--command")),
          Map.entry("watch", Set.of("--exec")),
          Map.entry("env", Set.of("-S", "--split-string")),
          Map.entry("ag", Set.of("--pager")),
          Map.entry("rg", Set.of("--pre")),
          Map.entry("fd", Set.of("-x", "-X", "--exec", "--exec-batch")),
          Map.entry("gcc", Set.of("-wrapper")),
          Map.entry("wget", Set.of("--use-askpass")),
          Map.entry("ssh", Set.of("-o")),
          Map.entry("vim", Set.of("-c", "--cmd")),
          Map.entry("vi", Set.of("-c")),
          Map.entry("nvim", Set.of("-c", "--cmd")),
          Map.entry("dialog", Set.of("--prgbox")),
          Map.entry("xterm", Set.of("-e")),
          Map.entry("crontab", Set.of()));

  private CommandOptions() {}

  /** Looks through all words. */
  static void look(String base, List<Word> words, Found found) {
    var options = ALL.get(base.equals("gtar") ? "tar" : base);
    if (options == null) {
      return;
    }
    for (int i = 1; i < words.size(); i++) {
      var text = words.get(i).text();
      int equals = text.indexOf('=');
      if (options.contains(text) && i + 1 < words.size()) {
        add(base, words.get(i + 1).text(), found);
      } else if (text.startsWith("--") && equals > 0 && isOption(options, text, equals)) {
        add(base, text.substring(equals + 1), found);
      } else {
        attached(base, options, text, found);
      }
    }
  }

  // Long options may be cut short.
  private static boolean isOption(Set<String> options, String text, int equals) {
    var name = text.substring(0, equals);
    return name.length() > 3 && options.stream().anyMatch(option -> option.startsWith(name));
  }

  private static void attached(String base, Set<String> options, String text, Found found) {
    for (var option : options) {
      boolean shortOption = option.length() == 2 && text.length() > 2;
      if (shortOption && text.startsWith(option) && !text.startsWith("--")) {
        add(base, text.substring(2), found);
      }
    }
  }

  private static void add(String base, String value, Found found) {
    found.opaque = true;
    if (base.endsWith("vim") || base.equals("vi")) {
      int bang = value.indexOf('!');
      if (bang >= 0) {
        found.scripts.add(value.substring(bang + 1));
      }
    } else if (base.equals("ssh")) {
      int equals = value.indexOf('=');
      found.scripts.add(value.substring(equals + 1));
    } else {
      found.scripts.add(value);
    }
  }
}
