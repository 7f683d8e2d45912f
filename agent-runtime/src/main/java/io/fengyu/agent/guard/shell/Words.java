package io.fengyu.agent.guard.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Ways to write the words of a command. */
final class Words {

  private Words() {}

  /** The same with the program's bare name. */
  static List<Word> based(List<Word> words) {
    var name = words.getFirst();
    var base = Names.base(name.text());
    if (base.equals(name.text())) {
      return words;
    }
    var copy = new ArrayList<Word>(words);
    copy.set(0, new Word(name.raw(), base, name.computed()));
    return copy;
  }

  /** As they are read, blanks between them. */
  static String joined(List<Word> words) {
    return words.stream().map(Word::text).collect(Collectors.joining(" "));
  }

  /** So that reading them again gives the same words. */
  static String canonical(List<Word> words) {
    return words.stream().map(Word::canonical).collect(Collectors.joining(" "));
  }
}
