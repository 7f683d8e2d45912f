package io.fengyu.agent.guard.shell;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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
  private static final char END = '\0';

  private final String text;
  private final int depth;
  private final int lastSolid;
  private final List<SimpleCommand> commands;
  private final EnumSet<Doubt> doubts;
  private final Deque<HereDoc> pending = new ArrayDeque<>();
  private int at;
  private int nesting;

  /** A here-document whose text comes after the line. */
  private static final class HereDoc {
    private final String delimiter;
    private final boolean literal;
    private final boolean tabs;
    private final List<Redirect> into;

    HereDoc(String delimiter, boolean literal, boolean tabs, List<Redirect> into) {
      this.delimiter = delimiter;
      this.literal = literal;
      this.tabs = tabs;
      this.into = into;
    }
  }

  private ShellLexer(String text, int depth, List<SimpleCommand> commands, EnumSet<Doubt> doubts) {
    this.text = text;
    this.depth = depth;
    this.commands = commands;
    this.doubts = doubts;
    this.lastSolid = lastSolid(text);
  }

  private static int lastSolid(String text) {
    int last = text.length() - 1;
    while (last >= 0 && isBlank(text.charAt(last))) {
      last--;
    }
    return last;
  }

  /** Appends the commands of a script, and what is doubtful about it. */
  static void read(String script, int depth, List<SimpleCommand> commands, EnumSet<Doubt> doubts) {
    if (depth > DEEPEST) {
      doubts.add(Doubt.TOO_DEEP);
      return;
    }
    var lexer = new ShellLexer(script, depth, commands, doubts);
    lexer.at = lexer.skipBlankLines();
    lexer.script(END);
    if (!lexer.pending.isEmpty()) {
      doubts.add(Doubt.UNBALANCED);
    }
  }

  private int skipBlankLines() {
    int first = 0;
    while (first < text.length() && isBlank(text.charAt(first))) {
      first++;
    }
    return first;
  }

  private boolean more() {
    return at < text.length();
  }

  private char peek(int ahead) {
    return at + ahead < text.length() ? text.charAt(at + ahead) : END;
  }

  /** Reads commands up to the closing bracket, which is passed over, or to the end. */
  private void script(char closing) {
    boolean piped = false;
    while (more()) {
      piped = command(piped);
      if (!more()) {
        break;
      }
      char c = text.charAt(at);
      if (!endsCommand()) {
        piped = false;
      } else if (c == ')') {
        at++;
        if (closing == ')') {
          return;
        }
        doubts.add(Doubt.UNBALANCED);
        piped = false;
      } else {
        piped = operator(c);
      }
    }
    if (closing != END) {
      doubts.add(Doubt.UNBALANCED);
    }
  }

  /** Passes over one operator; true when what follows reads from what came before. */
  private boolean operator(char c) {
    at++;
    if (c == '\n') {
      newline();
      return false;
    }
    boolean pipe = c == '|' && peek(0) != '|';
    if (c != '(' && more() && (peek(0) == c || (c == '|' && peek(0) == '&'))) {
      at++;
    }
    if (c == ';' && peek(0) == '&') {
      at++;
    }
    return pipe;
  }

  private void newline() {
    while (!pending.isEmpty()) {
      body(pending.removeFirst());
    }
    if (at <= lastSolid) {
      doubts.add(Doubt.NEWLINE);
    }
  }

  private void body(HereDoc doc) {
    doubts.add(Doubt.NEWLINE);
    int start = at;
    while (more()) {
      int lineStart = at;
      int lineEnd = text.indexOf('\n', at);
      lineEnd = lineEnd < 0 ? text.length() : lineEnd;
      at = Math.min(lineEnd + 1, text.length());
      if (endsHere(doc, lineStart, lineEnd)) {
        keep(doc, text.substring(start, lineStart));
        return;
      }
    }
    doubts.add(Doubt.UNBALANCED);
    keep(doc, text.substring(start));
  }

  private boolean endsHere(HereDoc doc, int lineStart, int lineEnd) {
    int from = lineStart;
    while (doc.tabs && from < lineEnd && text.charAt(from) == '\t') {
      from++;
    }
    return lineEnd - from == doc.delimiter.length() && text.startsWith(doc.delimiter, from);
  }

  private void keep(HereDoc doc, String body) {
    doc.into.add(new Redirect("<<", body));
    if (!doc.literal) {
      expansionsOf(body);
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
    inner.quoted(new StringBuilder(), END);
  }

  /** One simple command; true when a pipe is still open, because there was nothing yet. */
  private boolean command(boolean piped) {
    skipBlanks();
    int start = at;
    var words = new ArrayList<Word>();
    var redirects = new ArrayList<Redirect>();
    while (more() && !endsCommand()) {
      char c = text.charAt(at);
      if (c == '(') {
        boolean function = !words.isEmpty();
        bracket(words);
        if (function) {
          break;
        }
      } else if (isRedirect()) {
        redirect(redirects, null);
      } else {
        var word = word();
        if (isDescriptor(word) && more() && isRedirectChar(text.charAt(at))) {
          redirect(redirects, word);
        } else {
          words.add(word);
        }
      }
      skipBlanks();
    }
    if (words.isEmpty() && redirects.isEmpty() && at == start) {
      return piped;
    }
    var raw = text.substring(start, at).strip();
    if (!raw.isEmpty()) {
      keep(new SimpleCommand(raw, List.copyOf(words), redirects, piped));
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

  private void bracket(List<Word> words) {
    doubts.add(Doubt.SUBSHELL);
    int start = at;
    at++;
    nested();
    if (words.isEmpty()) {
      return;
    }
    words.add(new Word(text.substring(start, at), text.substring(start, at), true));
  }

  /** The commands up to the closing bracket. */
  private void nested() {
    if (depth + nesting >= DEEPEST) {
      doubts.add(Doubt.TOO_DEEP);
      at = text.length();
      return;
    }
    nesting++;
    script(')');
    nesting--;
  }

  private boolean endsCommand() {
    char c = text.charAt(at);
    return c == ';' || c == '|' || c == '\n' || c == ')' || (c == '&' && peek(1) != '>');
  }

  private void skipBlanks() {
    while (more()) {
      char c = text.charAt(at);
      if (c == ' ' || c == '\t') {
        at++;
      } else if (c == '\\' && peek(1) == '\n') {
        doubts.add(Doubt.NEWLINE);
        at += 2;
      } else if (c == '#' && startsWord()) {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else {
        return;
      }
    }
  }

  private boolean startsWord() {
    if (at == 0) {
      return true;
    }
    char before = text.charAt(at - 1);
    return isBlank(before) || ";|&()".indexOf(before) >= 0;
  }

  private boolean isRedirect() {
    char c = text.charAt(at);
    return isRedirectChar(c) ? !isProcessSubstitution() : c == '&' && peek(1) == '>';
  }

  private boolean isProcessSubstitution() {
    return peek(1) == '(';
  }

  private static boolean isRedirectChar(char c) {
    return c == '<' || c == '>';
  }

  private static boolean isDescriptor(Word word) {
    var raw = word.raw();
    boolean number = !raw.isEmpty() && raw.chars().allMatch(c -> c >= '0' && c <= '9');
    return number || (raw.startsWith("{") && raw.endsWith("}") && raw.length() > 2);
  }

  private void redirect(List<Redirect> redirects, @Nullable Word descriptor) {
    if (descriptor == null && peek(0) == '(') {
      return;
    }
    var operator = redirectOperator();
    if (operator.startsWith("&")) {
      doubts.add(Doubt.ODD);
    }
    if (isRedirectChar(peek(0)) && peek(1) == '(') {
      redirects.add(new Redirect(operator, word().text()));
      return;
    }
    skipBlanks();
    if (!more() || endsCommand()) {
      doubts.add(Doubt.UNBALANCED);
      return;
    }
    if (operator.equals("<<") || operator.equals("<<-")) {
      hereDoc(operator, redirects);
    } else {
      redirects.add(new Redirect(operator, word().text()));
    }
  }

  private void hereDoc(String operator, List<Redirect> redirects) {
    var delimiter = word();
    boolean literal = !delimiter.raw().equals(delimiter.text());
    pending.add(new HereDoc(delimiter.text(), literal, operator.equals("<<-"), redirects));
  }

  private String redirectOperator() {
    for (var operator : OPERATORS) {
      if (text.startsWith(operator, at)) {
        at += operator.length();
        return operator;
      }
    }
    throw new IllegalStateException("no redirection at " + at);
  }

  private static final List<String> OPERATORS =
      List.of("<<<", "<<-", "<<", "<>", "<&", "<", "&>>", "&>", ">>", ">|", ">&", ">");

  private Word word() {
    int start = at;
    var read = new StringBuilder();
    boolean computed = false;
    while (more() && !endsWord()) {
      computed |= piece(read);
    }
    if (at == start) {
      // Nothing that belongs to a word: pass over it, so that reading always ends.
      read.append(text.charAt(at));
      at++;
    }
    return new Word(text.substring(start, at), read.toString(), computed);
  }

  private boolean endsWord() {
    char c = text.charAt(at);
    if (isRedirectChar(c)) {
      return !isProcessSubstitution();
    }
    return c == ' ' || c == '\t' || c == '(' || endsCommand() || (c == '&' && peek(1) == '>');
  }

  /** Reads one piece of a word; true when it isn't known before it runs. */
  private boolean piece(StringBuilder read) {
    char c = text.charAt(at);
    switch (c) {
      case '\\' -> escape(read);
      case '\'' -> literal(read);
      case '"' -> {
        at++;
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
        at++;
        return c == '*' || c == '?' || c == '[' || c == '{';
      }
    }
    return false;
  }

  private void escape(StringBuilder read) {
    if (at + 1 >= text.length()) {
      doubts.add(Doubt.UNBALANCED);
    } else if (text.charAt(at + 1) == '\n') {
      doubts.add(Doubt.NEWLINE);
    } else {
      read.append(text.charAt(at + 1));
    }
    at = Math.min(at + 2, text.length());
  }

  private void literal(StringBuilder read) {
    int end = text.indexOf('\'', at + 1);
    if (end < 0) {
      doubts.add(Doubt.UNBALANCED);
      end = text.length();
    }
    append(read, at + 1, end);
    at = Math.min(end + 1, text.length());
  }

  private void append(StringBuilder read, int from, int to) {
    if (text.substring(from, to).indexOf('\n') >= 0) {
      doubts.add(Doubt.NEWLINE);
    }
    read.append(text, from, to);
  }

  /** Reads up to a closing quote, or to the end of a here-document. */
  private boolean quoted(StringBuilder read, char closing) {
    boolean computed = false;
    while (more()) {
      char c = text.charAt(at);
      if (c == closing && closing != END) {
        at++;
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
          at++;
        }
      }
    }
    if (closing != END) {
      doubts.add(Doubt.UNBALANCED);
    }
    return computed;
  }

  private void quotedEscape(StringBuilder read) {
    char next = peek(1);
    if (next == '\n') {
      doubts.add(Doubt.NEWLINE);
    } else if (next == '$' || next == '`' || next == '"' || next == '\\') {
      read.append(next);
    } else {
      read.append('\\');
      at++;
      return;
    }
    at = Math.min(at + 2, text.length());
  }

  private boolean dollar(StringBuilder read, boolean inQuotes) {
    return switch (peek(1)) {
      case '(' -> substitution(read);
      case '{' -> braced(read);
      case '\'' -> inQuotes ? plainDollar(read) : ansiQuote(read);
      case '"' -> inQuotes ? plainDollar(read) : localeQuote(read);
      default -> variable(read);
    };
  }

  private boolean substitution(StringBuilder read) {
    int start = at;
    doubts.add(Doubt.SUBSTITUTION);
    at += 2;
    nested();
    read.append(text, start, at);
    return true;
  }

  private boolean braced(StringBuilder read) {
    int start = at;
    doubts.add(Doubt.EXPANSION);
    at += 2;
    expansion();
    read.append(text, start, at);
    return true;
  }

  private boolean plainDollar(StringBuilder read) {
    read.append('$');
    at++;
    return false;
  }

  private boolean ansiQuote(StringBuilder read) {
    doubts.add(Doubt.ODD);
    at += 2;
    AnsiQuote.decode(text, at, read);
    at = AnsiQuote.end(text, at, doubts);
    return false;
  }

  private boolean localeQuote(StringBuilder read) {
    doubts.add(Doubt.ODD);
    at += 2;
    return quoted(read, '"');
  }

  private boolean variable(StringBuilder read) {
    int start = at;
    at++;
    if (more() && "@*#?-$!0123456789".indexOf(text.charAt(at)) >= 0) {
      at++;
    } else {
      while (more() && isName(text.charAt(at))) {
        at++;
      }
    }
    read.append(text, start, at);
    return at > start + 1;
  }

  private static boolean isName(char c) {
    return c == '_' || (c < 128 && Character.isLetterOrDigit(c));
  }

  /** Up to the brace that closes; commands inside are read too. */
  private void expansion() {
    int open = 1;
    var ignored = new StringBuilder();
    while (more()) {
      char c = text.charAt(at);
      if (c == '}' && --open == 0) {
        at++;
        return;
      }
      switch (c) {
        case '{' -> {
          open++;
          at++;
        }
        case '\\' -> escape(ignored);
        case '`' -> backquote(ignored);
        case '$' -> dollarInExpansion(ignored);
        default -> at++;
      }
    }
    doubts.add(Doubt.UNBALANCED);
  }

  private void dollarInExpansion(StringBuilder ignored) {
    if (peek(1) == '(') {
      dollar(ignored, true);
    } else {
      at++;
    }
  }

  private void backquote(StringBuilder read) {
    doubts.add(Doubt.SUBSTITUTION);
    int start = at;
    var inner = new StringBuilder();
    at++;
    while (more() && text.charAt(at) != '`') {
      if (text.charAt(at) == '\\' && "`\\$".indexOf(peek(1)) >= 0 && at + 1 < text.length()) {
        at++;
      }
      inner.append(text.charAt(at));
      at++;
    }
    if (!more()) {
      doubts.add(Doubt.UNBALANCED);
    }
    at = Math.min(at + 1, text.length());
    read(inner.toString(), depth + nesting + 1, commands, doubts);
    read.append(text, start, at);
  }

  private void processSubstitution(StringBuilder read) {
    doubts.add(Doubt.PROCESS_SUBSTITUTION);
    int start = at;
    at += 2;
    nested();
    read.append(text, start, at);
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\n';
  }
}
