package io.fengyu.agent.guard.shell;

import java.util.EnumSet;

/** Reads single words: quotes taken away, expansions as they are written. */
final class WordLexer {

  /** Commands that stand inside a word. */
  interface Commands {

    /** Reads those up to the closing bracket, which is passed over. */
    void upToBracket();

    /** Reads those of a text that was quoted in its own way. */
    void of(String script);
  }

  private final ScriptCursor here;
  private final EnumSet<Doubt> doubts;
  private final Commands commands;

  WordLexer(ScriptCursor here, EnumSet<Doubt> doubts, Commands commands) {
    this.here = here;
    this.doubts = doubts;
    this.commands = commands;
  }

  /** Reads one; never nothing. */
  Word read() {
    int start = here.at();
    var read = new StringBuilder();
    boolean computed = false;
    while (here.more() && !here.endsWord()) {
      computed |= piece(read);
    }
    if (here.at() == start) {
      // Nothing that belongs to a word: pass over it, so that reading always ends.
      read.append(here.now());
      here.pass(1);
    }
    return new Word(here.since(start), read.toString(), computed);
  }

  /** Reads one piece of a word; true when it isn't known before it runs. */
  private boolean piece(StringBuilder read) {
    char c = here.now();
    switch (c) {
      case '\\' -> escape(read);
      case '\'' -> literal(read);
      case '"' -> {
        here.pass(1);
        return quoted(read, '"');
      }
      case '`' -> {
        backquote(read);
        return true;
      }
      case '$' -> {
        return dollar(read, false);
      }
      case '<', '>' -> {
        processSubstitution(read);
        return true;
      }
      default -> {
        read.append(c);
        here.pass(1);
        return c == '*' || c == '?' || c == '[' || c == '{';
      }
    }
    return false;
  }

  private void escape(StringBuilder read) {
    if (here.atLast()) {
      doubts.add(Doubt.UNBALANCED);
    } else if (here.peek(1) == '\n') {
      doubts.add(Doubt.NEWLINE);
    } else {
      read.append(here.peek(1));
    }
    here.pass(2);
  }

  private void literal(StringBuilder read) {
    int end = here.next('\'', here.at() + 1);
    if (end == here.text().length()) {
      doubts.add(Doubt.UNBALANCED);
    }
    append(read, here.at() + 1, end);
    here.go(end + 1);
  }

  private void append(StringBuilder read, int from, int to) {
    if (here.text().substring(from, to).indexOf('\n') >= 0) {
      doubts.add(Doubt.NEWLINE);
    }
    read.append(here.text(), from, to);
  }

  /** Passes over a text in which only expansions mean something. */
  void expansions() {
    quoted(new StringBuilder(), ScriptCursor.END);
  }

  /** Reads up to a closing quote, or to the end of a text. */
  private boolean quoted(StringBuilder read, char closing) {
    boolean computed = false;
    while (here.more()) {
      char c = here.now();
      if (c == closing && closing != ScriptCursor.END) {
        here.pass(1);
        return computed;
      }
      switch (c) {
        case '`' -> {
          backquote(read);
          computed = true;
        }
        case '$' -> computed |= dollar(read, true);
        case '\\' -> quotedEscape(read);
        default -> {
          if (c == '\n') {
            doubts.add(Doubt.NEWLINE);
          }
          read.append(c);
          here.pass(1);
        }
      }
    }
    if (closing != ScriptCursor.END) {
      doubts.add(Doubt.UNBALANCED);
    }
    return computed;
  }

  private void quotedEscape(StringBuilder read) {
    char next = here.peek(1);
    if (next == '\n') {
      doubts.add(Doubt.NEWLINE);
    } else if (next == '$' || next == '`' || next == '"' || next == '\\') {
      read.append(next);
    } else {
      read.append('\\');
      here.pass(1);
      return;
    }
    here.pass(2);
  }

  private boolean dollar(StringBuilder read, boolean inQuotes) {
    return switch (here.peek(1)) {
      case '(' -> substitution(read);
      case '{' -> braced(read);
      case '\'' -> inQuotes ? plainDollar(read) : ansiQuote(read);
      case '"' -> inQuotes ? plainDollar(read) : localeQuote(read);
      default -> variable(read);
    };
  }

  private boolean substitution(StringBuilder read) {
    int start = here.at();
    doubts.add(Doubt.SUBSTITUTION);
    here.pass(2);
    commands.upToBracket();
    read.append(here.since(start));
    return true;
  }

  private boolean braced(StringBuilder read) {
    int start = here.at();
    doubts.add(Doubt.EXPANSION);
    here.pass(2);
    expansion();
    read.append(here.since(start));
    return true;
  }

  private boolean plainDollar(StringBuilder read) {
    read.append('$');
    here.pass(1);
    return false;
  }

  private boolean ansiQuote(StringBuilder read) {
    doubts.add(Doubt.ODD);
    here.pass(2);
    AnsiQuote.decode(here.text(), here.at(), read);
    here.go(AnsiQuote.end(here.text(), here.at(), doubts));
    return false;
  }

  private boolean localeQuote(StringBuilder read) {
    doubts.add(Doubt.ODD);
    here.pass(2);
    return quoted(read, '"');
  }

  private boolean variable(StringBuilder read) {
    int start = here.at();
    here.pass(1);
    if (here.more() && "@*#?-$!0123456789".indexOf(here.now()) >= 0) {
      here.pass(1);
    } else {
      while (here.more() && isName(here.now())) {
        here.pass(1);
      }
    }
    read.append(here.since(start));
    return here.at() > start + 1;
  }

  private static boolean isName(char c) {
    return c == '_' || (c < 128 && Character.isLetterOrDigit(c));
  }

  /** Up to the brace that closes; commands inside are read too. */
  private void expansion() {
    int open = 1;
    var ignored = new StringBuilder();
    while (here.more()) {
      char c = here.now();
      if (c == '}' && --open == 0) {
        here.pass(1);
        return;
      }
      switch (c) {
        case '{' -> {
          open++;
          here.pass(1);
        }
        case '\\' -> escape(ignored);
        case '`' -> backquote(ignored);
        case '$' -> dollarInExpansion(ignored);
        default -> here.pass(1);
      }
    }
    doubts.add(Doubt.UNBALANCED);
  }

  private void dollarInExpansion(StringBuilder ignored) {
    if (here.peek(1) == '(') {
      dollar(ignored, true);
    } else {
      here.pass(1);
    }
  }

  private void backquote(StringBuilder read) {
    doubts.add(Doubt.SUBSTITUTION);
    int start = here.at();
    var inner = new StringBuilder();
    here.pass(1);
    while (here.more() && here.now() != '`') {
      if (here.now() == '\\' && "`\\$".indexOf(here.peek(1)) >= 0 && !here.atLast()) {
        here.pass(1);
      }
      inner.append(here.now());
      here.pass(1);
    }
    if (!here.more()) {
      doubts.add(Doubt.UNBALANCED);
    }
    here.pass(1);
    commands.of(inner.toString());
    read.append(here.since(start));
  }

  private void processSubstitution(StringBuilder read) {
    doubts.add(Doubt.PROCESS_SUBSTITUTION);
    int start = here.at();
    here.pass(2);
    commands.upToBracket();
    read.append(here.since(start));
  }
}
