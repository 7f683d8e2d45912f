package io.fengyu.agent.guard;

import io.fengyu.agent.guard.shell.Segment;

/**
 * Which commands a rule is about: those that begin with certain words, or those that a pattern
 * matches.
 */
sealed interface CommandPattern {

  /** True when it matches one of the texts in which a deny or ask rule looks. */
  boolean sees(Segment segment);

  /** True when the segment runs nothing that isn't meant. */
  boolean covers(Segment segment);

  /** Reads what stands between the brackets of a rule. */
  static CommandPattern of(String content) {
    var text = content.strip().replaceAll("\\s+", " ");
    boolean idiom = text.endsWith(":*");
    var body = idiom ? text.substring(0, text.length() - 2).strip() : text;
    if (!Glob.isPattern(body)) {
      return new Prefix(body);
    }
    return idiom
        ? new Pattern(new Glob(body), new Glob(body + " *"))
        : new Pattern(new Glob(body), new Glob(body));
  }

  /** Every command. */
  record All() implements CommandPattern {

    @Override
    public boolean sees(Segment segment) {
      return true;
    }

    @Override
    public boolean covers(Segment segment) {
      return true;
    }
  }

  /** The words a command begins with. */
  record Prefix(String words) implements CommandPattern {

    @Override
    public boolean sees(Segment segment) {
      return segment.seen().stream().anyMatch(text -> begins(text, true));
    }

    @Override
    public boolean covers(Segment segment) {
      return (!segment.writesFile() || words.indexOf('>') >= 0)
          && segment.exact().stream().anyMatch(text -> begins(text, false));
    }

    private boolean begins(String text, boolean anyCase) {
      return text.regionMatches(anyCase, 0, words, 0, words.length())
          && (text.length() == words.length()
              || text.charAt(words.length()) == ' '
              || text.charAt(words.length()) == '\t');
    }
  }

  /** A pattern over the whole segment. */
  record Pattern(Glob whole, Glob begun) implements CommandPattern {

    @Override
    public boolean sees(Segment segment) {
      return segment.seen().stream().anyMatch(this::matches);
    }

    @Override
    public boolean covers(Segment segment) {
      return (!segment.writesFile() || whole.matchesAll() || whole.toString().indexOf('>') >= 0)
          && segment.exact().stream().anyMatch(this::matches);
    }

    private boolean matches(String text) {
      return whole.matches(text) || begun.matches(text);
    }
  }
}
