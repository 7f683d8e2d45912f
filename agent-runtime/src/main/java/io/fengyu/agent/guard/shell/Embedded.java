package io.fengyu.agent.guard.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Commands that stand in the arguments of other programs. */
final class Embedded {

  /** Options whose value is run as a command line. */
  private static final Map<String, Set<String>> COMMAND_OPTIONS =
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

  /** Words of git before its command that take another word. */
  private static final Set<String> GIT_VALUED =
      Set.of(
          "-C",
          "-c",
          "--git-dir",
          "--work-tree",
          "--namespace",
          "--config-env",
          "--exec-path",
          "--super-prefix",
          "--list-cmds",
          "--attr-source");

  private static final Set<String> FIND_EXEC = Set.of("-exec", "-execdir", "-ok", "-okdir");

  private static final Set<String> GIT_EXEC =
      Set.of(
          "-x",
          "--exec",
          "--tree-filter",
          "--index-filter",
          "--msg-filter",
          "--env-filter",
          "--commit-filter",
          "--upload-pack",
          "--receive-pack",
          "-u",
          "--extcmd");

  private Embedded() {}

  /** What a program's words hold. */
  static final class Found {
    final List<String> scripts = new ArrayList<>();
    final List<List<Word>> commands = new ArrayList<>();
    boolean opaque;
  }

  /** Looks through the words of one program. */
  static Found in(String base, List<Word> words) {
    var found = new Found();
    options(base, words, found);
    switch (base) {
      case "find", "gfind", "bfs" -> find(words, found);
      case "git" -> git(words, found);
      case "tar", "gtar" -> checkpoints(words, found);
      case "awk", "gawk", "mawk", "nawk" -> program(words, found, "system(", "|");
      case "sed", "gsed" -> sed(words, found);
      case "trap" -> script(words, 1, found);
      default -> {}
    }
    return found;
  }

  private static void options(String base, List<Word> words, Found found) {
    var options = COMMAND_OPTIONS.get(base.equals("gtar") ? "tar" : base);
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

  private static void find(List<Word> words, Found found) {
    var starts = new ArrayList<Word>();
    int at = 1;
    while (at < words.size() && !words.get(at).text().startsWith("-")) {
      starts.add(words.get(at));
      at++;
    }
    boolean everything = true;
    while (at < words.size()) {
      var text = words.get(at).text();
      if (FIND_EXEC.contains(text)) {
        at = exec(words, at + 1, everything ? starts : List.of(), found);
      } else {
        everything &= text.equals("-depth") || text.equals("-xdev") || text.equals("-mount");
      }
      at++;
    }
  }

  private static int exec(List<Word> words, int from, List<Word> starts, Found found) {
    int end = from;
    while (end < words.size() && !words.get(end).text().equals(";") && !isPlus(words, end)) {
      end++;
    }
    var command = words.subList(from, end);
    if (!command.isEmpty()) {
      found.commands.add(command);
      starts.forEach(start -> found.commands.add(filled(command, start)));
    }
    return end;
  }

  private static boolean isPlus(List<Word> words, int at) {
    return words.get(at).text().equals("+") && words.get(at - 1).text().equals("{}");
  }

  private static List<Word> filled(List<Word> command, Word start) {
    return command.stream().map(word -> word.text().equals("{}") ? start : word).toList();
  }

  private static void git(List<Word> words, Found found) {
    int command = gitCommand(words);
    for (int i = 1; i < command; i++) {
      var text = words.get(i).text();
      if (text.equals("-c") && i + 1 < command) {
        configured(words.get(i + 1).text(), found);
        i++;
      } else if (text.startsWith("-c") && text.length() > 2) {
        configured(text.substring(2), found);
      } else if (text.startsWith("--config-env") || text.startsWith("--exec-path=")) {
        found.opaque = true;
      }
    }
    gitRuns(words, command, found);
  }

  private static void gitRuns(List<Word> words, int command, Found found) {
    if (command >= words.size()) {
      return;
    }
    var name = words.get(command).text();
    boolean foreach = name.equals("submodule") && textAt(words, command + 1).equals("foreach");
    boolean bisect = name.equals("bisect") && textAt(words, command + 1).equals("run");
    if (foreach || bisect) {
      found.opaque = true;
      rest(words, command + 2, found);
      return;
    }
    for (int i = command + 1; i < words.size(); i++) {
      var text = words.get(i).text();
      int equals = text.indexOf('=');
      if (GIT_EXEC.contains(text) && runsWith(name, text) && i + 1 < words.size()) {
        add("git", words.get(i + 1).text(), found);
      } else if (equals > 0 && GIT_EXEC.contains(text.substring(0, equals))) {
        add("git", text.substring(equals + 1), found);
      }
    }
  }

  private static boolean runsWith(String command, String option) {
    return switch (option) {
      case "-x" -> command.equals("rebase") || command.equals("difftool");
      case "-u" -> command.equals("clone") || command.equals("fetch-pack");
      default -> true;
    };
  }

  private static void rest(List<Word> words, int from, Found found) {
    int at = from;
    while (at < words.size() && words.get(at).text().startsWith("-")) {
      at++;
    }
    if (at == words.size() - 1) {
      found.scripts.add(words.get(at).text());
    } else if (at < words.size()) {
      found.commands.add(words.subList(at, words.size()));
    }
  }

  private static String textAt(List<Word> words, int at) {
    return at < words.size() ? words.get(at).text() : "";
  }

  private static void configured(String setting, Found found) {
    found.opaque = true;
    int equals = setting.indexOf('=');
    var value = setting.substring(equals + 1);
    if (equals > 0 && !value.isEmpty()) {
      found.scripts.add(value.startsWith("!") ? value.substring(1) : value);
    }
  }

  /** Index of git's own command, after the options before it. */
  static int gitCommand(List<Word> words) {
    int at = 1;
    while (at < words.size() && words.get(at).text().startsWith("-")) {
      at += GIT_VALUED.contains(words.get(at).text()) ? 2 : 1;
    }
    return Math.min(at, words.size());
  }

  private static void checkpoints(List<Word> words, Found found) {
    for (var word : words) {
      var text = word.text();
      int exec = text.indexOf("exec=");
      if (exec >= 0) {
        found.opaque = true;
        found.scripts.add(text.substring(exec + 5));
      }
    }
  }

  private static void program(List<Word> words, Found found, String... marks) {
    for (int i = 1; i < words.size(); i++) {
      for (var mark : marks) {
        found.opaque |= words.get(i).text().contains(mark);
      }
      quotedParts(words.get(i).text(), found);
    }
  }

  // system("rm -rf x") and "rm -rf x" | getline: whatever stands in quotes may be run.
  private static void quotedParts(String text, Found found) {
    if (!found.opaque) {
      return;
    }
    int open = text.indexOf('"');
    while (open >= 0) {
      int close = text.indexOf('"', open + 1);
      if (close < 0) {
        return;
      }
      found.scripts.add(text.substring(open + 1, close));
      open = text.indexOf('"', close + 1);
    }
  }

  private static void sed(List<Word> words, Found found) {
    for (int i = 1; i < words.size(); i++) {
      var text = words.get(i).text();
      if (SED_EXEC.matcher(text).find()) {
        found.opaque = true;
      }
    }
  }

  private static final java.util.regex.Pattern SED_EXEC =
      java.util.regex.Pattern.compile("^[0-9,$ ]*e( |$)|/[gip0-9]*e[gip0-9]*$");

  private static void script(List<Word> words, int at, Found found) {
    if (at < words.size()) {
      found.opaque = true;
      found.scripts.add(words.get(at).text());
    }
  }
}
