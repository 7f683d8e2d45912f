package io.fengyu.agent.guard.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What find runs for the files it finds. */
final class Find {

  private static final Set<String> EXEC = Set.of("-exec", "-execdir", "-ok", "-okdir");

  private Find() {}

  /** Looks through all words. */
  static void look(List<Word> words, Found found) {
    var starts = new ArrayList<Word>();
    int at = 1;
    while (at < words.size() && !words.get(at).text().startsWith("-")) {
      starts.add(words.get(at));
      at++;
    }
    boolean everything = true;
    while (at < words.size()) {
      var text = words.get(at).text();
      if (EXEC.contains(text)) {
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
}
