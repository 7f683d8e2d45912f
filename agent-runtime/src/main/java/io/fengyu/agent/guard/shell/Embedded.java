package io.fengyu.agent.guard.shell;

import java.util.List;
import java.util.regex.Pattern;

/** Commands that stand in the arguments of other programs. */
final class Embedded {

  private static final Pattern SED_RUNS =
      Pattern.compile("(?:^|[;{}!0-9$/~+])[ \\t]*e(?:[ \\t]+|$)");
  private static final String SED_FLAGS = "egipmIM0123456789 \t;}";
  private static final int MOST_SED = 32;

  private Embedded() {}

  /** Looks through the words of one program. */
  static Found in(String base, List<Word> words) {
    var found = new Found();
    CommandOptions.look(base, words, found);
    switch (base) {
      case "find", "gfind", "bfs" -> Find.look(words, found);
      case "git" -> Git.look(words, found);
      case "tar", "gtar" -> checkpoints(words, found);
      case "awk", "gawk", "mawk", "nawk" -> program(words, found, "system(", "|");
      case "sed", "gsed" -> sed(words, found);
      case "trap" -> script(words, 1, found);
      default -> {}
    }
    return found;
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

  // "e command" runs it, and the flag e of a substitution runs what it made.
  private static void sed(List<Word> words, Found found) {
    for (int i = 1; i < words.size(); i++) {
      for (var line : words.get(i).text().split("\n", MOST_SED)) {
        var run = SED_RUNS.matcher(line);
        for (int seen = 0; seen < MOST_SED && run.find(); seen++) {
          found.opaque = true;
          found.scripts.add(line.substring(run.end()));
        }
        sedMade(line, found);
      }
    }
  }

  private static void sedMade(String line, Found found) {
    int flags = line.length();
    while (flags > 0 && SED_FLAGS.indexOf(line.charAt(flags - 1)) >= 0) {
      flags--;
    }
    if (flags < 3 || line.indexOf('e', flags) < 0) {
      return;
    }
    char divider = line.charAt(flags - 1);
    if (line.indexOf("s" + divider) >= 0) {
      found.opaque = true;
      int before = line.lastIndexOf(divider, flags - 2);
      found.scripts.add(line.substring(before + 1, flags - 1));
    }
  }

  private static void script(List<Word> words, int at, Found found) {
    if (at < words.size()) {
      found.opaque = true;
      found.scripts.add(words.get(at).text());
    }
  }
}
