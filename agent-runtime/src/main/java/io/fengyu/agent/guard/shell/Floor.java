package io.fengyu.agent.guard.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Commands that always have to be asked about, and those that never run. */
final class Floor {

  private static final Set<String> DANGEROUS =
      Set.of(
          "rm",
          "chmod",
          "chown",
          "chgrp",
          "chattr",
          "sudo",
          "su",
          "kill",
          "killall",
          "pkill",
          "shutdown",
          "reboot",
          "mkfs",
          "dd",
          "curl",
          "wget",
          "ssh",
          "scp",
          "osascript",
          "powershell",
          "pwsh",
          "cmd",
          "doas",
          "halt",
          "poweroff",
          "runuser");

  private static final Set<String> DANGEROUS_OF_GIT = Set.of("push", "reset", "clean");

  private Floor() {}

  /** What of the floor a program call is; null when it is none. */
  static @Nullable String of(String base, List<Word> words) {
    if (DANGEROUS.contains(base)) {
      return base;
    }
    if (isMkfs(base)) {
      return "mkfs";
    }
    if (base.equals("git")) {
      int at = Git.command(words);
      var command = at < words.size() ? words.get(at).text() : "";
      return DANGEROUS_OF_GIT.contains(command) ? "git " + command : null;
    }
    return null;
  }

  /**
   * Why a program call never runs; null when it may.
   *
   * @param words with what variables were set to
   * @param directory where it runs, as far as the text tells; null when it doesn't
   */
  static @Nullable String hard(String base, List<Word> words, @Nullable String directory) {
    if (isMkfs(base)) {
      return "making a file system";
    }
    if (base.equals("dd") && words.stream().anyMatch(Floor::writesDevice)) {
      return "writing to a device";
    }
    if (base.equals("rm") && recursive(words)) {
      return words.stream().skip(1).anyMatch(word -> isRoot(word, directory))
          ? "removing a root or home directory"
          : null;
    }
    return null;
  }

  private static boolean isMkfs(String base) {
    return base.startsWith("mkfs");
  }

  private static boolean writesDevice(Word word) {
    return word.text().startsWith("of=")
        && Paths.plain(word.text().substring(3)).startsWith("/dev/");
  }

  private static boolean recursive(List<Word> words) {
    for (int i = 1; i < words.size(); i++) {
      var text = words.get(i).text();
      boolean longOption = text.startsWith("--r") && "--recursive".startsWith(text);
      boolean bundle =
          text.startsWith("-")
              && !text.startsWith("--")
              && (text.contains("r") || text.contains("R"));
      if (longOption || bundle) {
        return true;
      }
    }
    return false;
  }

  private static boolean isRoot(Word word, @Nullable String directory) {
    for (var target : braces(word.text())) {
      if (Paths.isRoot(target, directory)) {
        return true;
      }
    }
    return false;
  }

  /** The texts of a list in braces, each; the text itself when there is none. */
  static List<String> braces(String text) {
    int open = text.indexOf('{');
    int close = text.indexOf('}', open + 1);
    if (open < 0 || close < 0 || (open > 0 && text.charAt(open - 1) == '$')) {
      return List.of(text);
    }
    var all = new ArrayList<String>();
    for (var part : text.substring(open + 1, close).split(",", 100)) {
      all.add(text.substring(0, open) + part + text.substring(close + 1));
    }
    return all;
  }
}
