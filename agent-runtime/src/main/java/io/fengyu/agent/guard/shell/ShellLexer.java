package io.fengyu.agent.guard.shell;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a script into its simple commands, those inside substitutions, subshells and here-documents
 * among them. Total: any text has a reading, and what can't be told becomes a {@link Doubt}. Every
 * character is looked at once for each level of nesting, of which there are few.
 */
final class ShellLexer {

  static final int DEEPEST = 16;
  static final int MOST_COMMANDS = 2_000;

  private static final List<String> OPERATORS =
      List.of("<<<", "<<-", "<<", "<>", "<&", "<", "&>>", "&>", ">>", ">|", ">&", ">");

  private final int depth;
  private final List<SimpleCommand> commands;
  private final EnumSet<Doubt> doubts;
  private final ScriptCursor here;
  private final WordLexer words;
  private final HereDocs documents;
  private int nesting;

  private ShellLexer(String text, int depth, List<SimpleCommand> commands, EnumSet<Doubt> doubts) {
    this.depth = depth;
    this.commands = commands;
    this.doubts = doubts;
    this.here = new ScriptCursor(text, doubts);
    this.words = new WordLexer(here, doubts, new Inside());
    this.documents = new HereDocs(here, doubts, this::expansionsOf);
  }

  /** Commands inside words are read like others, one level deeper. */
  private final class Inside implements WordLexer.Commands {

    @Override
    public void upToBracket() {
      nested();
    }

    @Override
    public void of(String script) {
      read(script, depth + nesting + 1, commands, doubts);
    }
  }

  /** Appends the commands of a script, and what is doubtful about it. */
  static void read(String script, int depth, List<SimpleCommand> commands, EnumSet<Doubt> doubts) {
    if (depth > DEEPEST) {
      doubts.add(Doubt.TOO_DEEP);
      return;
    }
    var lexer = new ShellLexer(script, depth, commands, doubts);
    lexer.here.skipBlankLines();
    lexer.script(ScriptCursor.END);
    if (lexer.documents.pending()) {
      doubts.add(Doubt.UNBALANCED);
    }
  }

  /** Reads commands up to the closing bracket, which is passed over, or to the end. */
  private void script(char closing) {
    boolean piped = false;
    while (here.more()) {
      piped = command(piped);
      if (!here.more()) {
        break;
      }
      char c = here.now();
      if (!here.endsCommand()) {
        piped = false;
      } else if (c == ')') {
        here.pass(1);
        if (closing == ')') {
          return;
        }
        doubts.add(Doubt.UNBALANCED);
        piped = false;
      } else {
        piped = operator(c);
      }
    }
    if (closing != ScriptCursor.END) {
      doubts.add(Doubt.UNBALANCED);
    }
  }

  /** Passes over one operator; true when what follows reads from what came before. */
  private boolean operator(char c) {
    here.pass(1);
    if (c == '\n') {
      newline();
      return false;
    }
    boolean pipe = c == '|' && here.peek(0) != '|';
    if (c != '(' && here.more() && (here.peek(0) == c || (c == '|' && here.peek(0) == '&'))) {
      here.pass(1);
    }
    if (c == ';' && here.peek(0) == '&') {
      here.pass(1);
    }
    return pipe;
  }

  private void newline() {
    documents.read();
    if (!here.onlyBlanksLeft()) {
      doubts.add(Doubt.NEWLINE);
    }
  }

  /** Commands inside text that is not read as commands itself. */
  private void expansionsOf(String body) {
    if (body.indexOf('$') < 0 && body.indexOf('`') < 0) {
      return;
    }
    if (depth + nesting >= DEEPEST) {
      doubts.add(Doubt.TOO_DEEP);
      return;
    }
    var inner = new ShellLexer(body, depth + nesting + 1, commands, doubts);
    inner.words.expansions();
  }

  /** One simple command; true when a pipe is still open, because there was nothing yet. */
  private boolean command(boolean piped) {
    here.skipBlanks();
    int start = here.at();
    var found = new ArrayList<Word>();
    var redirects = new ArrayList<Redirect>();
    while (here.more() && !here.endsCommand()) {
      char c = here.now();
      if (c == '(') {
        boolean function = !found.isEmpty();
        bracket(found);
        if (function) {
          break;
        }
      } else if (here.isRedirect()) {
        redirect(redirects, null);
      } else {
        var word = words.read();
        if (isDescriptor(word) && here.more() && ScriptCursor.isRedirectChar(here.now())) {
          redirect(redirects, word);
        } else {
          found.add(word);
        }
      }
      here.skipBlanks();
    }
    if (found.isEmpty() && redirects.isEmpty() && here.at() == start) {
      return piped;
    }
    var raw = here.since(start).strip();
    if (!raw.isEmpty()) {
      keep(new SimpleCommand(raw, List.copyOf(found), redirects, piped));
    }
    return false;
  }

  private void keep(SimpleCommand command) {
    if (commands.size() < MOST_COMMANDS) {
      commands.add(command);
    } else {
      doubts.add(Doubt.TOO_MANY);
    }
  }

  private void bracket(List<Word> before) {
    doubts.add(Doubt.SUBSHELL);
    int start = here.at();
    here.pass(1);
    nested();
    if (before.isEmpty()) {
      return;
    }
    var raw = here.since(start);
    before.add(new Word(raw, raw, true));
  }

  /** The commands up to the closing bracket. */
  private void nested() {
    if (depth + nesting >= DEEPEST) {
      doubts.add(Doubt.TOO_DEEP);
      here.goToEnd();
      return;
    }
    nesting++;
    script(')');
    nesting--;
  }

  private static boolean isDescriptor(Word word) {
    var raw = word.raw();
    boolean number = !raw.isEmpty() && raw.chars().allMatch(c -> c >= '0' && c <= '9');
    return number || (raw.startsWith("{") && raw.endsWith("}") && raw.length() > 2);
  }

  private void redirect(List<Redirect> redirects, @Nullable Word descriptor) {
    if (descriptor == null && here.peek(0) == '(') {
      return;
    }
    var operator = redirectOperator();
    if (operator.startsWith("&")) {
      doubts.add(Doubt.ODD);
    }
    if (ScriptCursor.isRedirectChar(here.peek(0)) && here.peek(1) == '(') {
      redirects.add(new Redirect(operator, words.read().text()));
      return;
    }
    here.skipBlanks();
    if (!here.more() || here.endsCommand()) {
      doubts.add(Doubt.UNBALANCED);
      return;
    }
    if (operator.equals("<<") || operator.equals("<<-")) {
      documents.announce(words.read(), operator.equals("<<-"), redirects);
    } else {
      redirects.add(new Redirect(operator, words.read().text()));
    }
  }

  private String redirectOperator() {
    for (var operator : OPERATORS) {
      if (here.startsWith(operator)) {
        here.pass(operator.length());
        return operator;
      }
    }
    throw new IllegalStateException("no redirection at " + here.at());
  }
}
