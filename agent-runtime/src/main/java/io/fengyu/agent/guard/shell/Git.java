package io.fengyu.agent.guard.shell;

import java.util.List;
import java.util.Set;

/** What git runs besides itself. */
final class Git {

  /** Words of git before its command that take another word. */
  private static final Set<String> VALUED =
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

  private static final Set<String> EXEC =
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

  private Git() {}

  /** Looks through all words. */
  static void look(List<Word> words, Found found) {
    int command = command(words);
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
    runs(words, command, found);
  }

  private static void runs(List<Word> words, int command, Found found) {
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
      if (EXEC.contains(text) && runsWith(name, text) && i + 1 < words.size()) {
        found.value(words.get(i + 1).text());
      } else if (equals > 0 && EXEC.contains(text.substring(0, equals))) {
        found.value(text.substring(equals + 1));
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
  static int command(List<Word> words) {
    int at = 1;
    while (at < words.size() && words.get(at).text().startsWith("-")) {
      at += VALUED.contains(words.get(at).text()) ? 2 : 1;
    }
    return Math.min(at, words.size());
  }
}
