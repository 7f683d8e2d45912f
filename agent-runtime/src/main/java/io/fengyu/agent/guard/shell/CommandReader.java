package io.fengyu.agent.guard.shell;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Follows what a script runs: through wrappers, shells in shells, and programs that run others.
 * What it sees for deny rules may be more than really runs, never less than the text tells.
 */
final class CommandReader {

  private static final int MOST_WRAPPERS = 16;

  private final List<Segment> segments = new ArrayList<>();
  private final EnumSet<Doubt> doubts = EnumSet.noneOf(Doubt.class);
  private final Map<String, String> variables = new HashMap<>(Map.of("IFS", " "));
  private @Nullable String directory;
  private int depth;
  private boolean guessing;
  private long budget;

  CommandReader(@Nullable String directory) {
    this.directory = directory;
  }

  List<Segment> segments() {
    return segments;
  }

  EnumSet<Doubt> doubts() {
    return doubts;
  }

  void read(String command) {
    budget = 6L * command.length() + 4096;
    if (Lookalikes.hides(command)) {
      doubts.add(Doubt.HIDDEN_CHARACTER);
    }
    script(command);
    guessed(Lookalikes.plain(command), command);
    // To some shells this is one operator, to others two.
    guessed(command.replace("&>", "& >"), command);
  }

  /** What the text would run if it meant something else than it says. */
  private void guessed(String other, String text) {
    if (!other.equals(text)) {
      boolean before = guessing;
      guessing = true;
      script(other);
      guessing = before;
    }
  }

  private void script(String script) {
    if (depth > ShellLexer.DEEPEST || !affords(script.length())) {
      doubts.add(Doubt.TOO_DEEP);
      return;
    }
    var commands = new ArrayList<SimpleCommand>();
    ShellLexer.read(script, depth, commands, doubts);
    depth++;
    for (var command : commands) {
      segment(command.raw(), command.words(), command.redirects(), command.piped());
    }
    depth--;
  }

  // Texts are read again where they are nested; what that costs in all is bounded by the text.
  private boolean affords(int length) {
    budget -= length;
    return budget >= 0;
  }

  private void segment(String raw, List<Word> words, List<Redirect> redirects, boolean piped) {
    if (segments.size() >= ShellLexer.MOST_COMMANDS) {
      doubts.add(Doubt.TOO_MANY);
      return;
    }
    var call = new SeenCommand(raw, redirects, piped);
    int at = afterReserved(words);
    int name = at;
    while (name < words.size() && Names.isAssignment(words.get(name))) {
      call.quiet &= Names.isQuiet(words.get(name));
      name++;
    }
    if (name >= words.size()) {
      words.subList(at, words.size()).forEach(this::remember);
    } else {
      peel(call, words, name);
    }
    int before = segments.size();
    segments.add(call.toSegment(words, guessing));
    if (name < words.size()) {
      follow(call);
    }
    substituted(raw);
    carried(call, before, words);
  }

  /** Replaces the segment once it is known what it carries. */
  private void carried(SeenCommand call, int index, List<Word> words) {
    if (call.carries) {
      segments.set(index, call.toSegment(words, guessing));
    }
  }

  private int afterReserved(List<Word> words) {
    int at = 0;
    while (at < words.size() && Names.isReserved(words.get(at))) {
      if (!words.get(at).text().equals("!")) {
        doubts.add(Doubt.COMPOUND);
      }
      at++;
    }
    return at;
  }

  private void remember(Word assignment) {
    var text = assignment.text();
    int equals = text.indexOf('=');
    if (!assignment.computed() && equals > 0) {
      variables.put(text.substring(0, equals), text.substring(equals + 1));
    }
  }

  /** Looks at a command, and at the one inside it as long as it only wraps another. */
  private void peel(SeenCommand call, List<Word> words, int first) {
    int at = first;
    for (int layers = 0; at < words.size(); layers++) {
      if (layers > MOST_WRAPPERS) {
        doubts.add(Doubt.TOO_DEEP);
        return;
      }
      var layer = words.subList(at, words.size());
      var base = look(call, layer);
      var wrapper = Wrapper.of(base);
      if (wrapper == null || isLookup(base, layer)) {
        return;
      }
      int next = wrapper.command(words, at);
      embedded(base, layer);
      call.quiet &= wrapper.quiet() && quietOptions(base, wrapper, words.subList(at + 1, next));
      at = next;
    }
  }

  private static boolean isLookup(String base, List<Word> layer) {
    return base.equals("command")
        && layer.size() > 1
        && layer.get(1).text().matches("-[pvV]*[vV][pvV]*");
  }

  private static boolean quietOptions(String base, Wrapper wrapper, List<Word> options) {
    if (base.equals("time") && options.stream().anyMatch(word -> !word.text().equals("-p"))) {
      return false;
    }
    return !wrapper.assignments()
        || options.stream().allMatch(word -> Names.isAssignment(word) && Names.isQuiet(word));
  }

  /** Notes one layer of a command; its name. */
  private String look(SeenCommand call, List<Word> layer) {
    var name = layer.getFirst();
    var base = Names.base(Lookalikes.plain(name.text()));
    call.innermost = layer;
    call.names.add(base);
    call.quiet &= Names.ofSystem(name.text());
    if (name.computed() && !name.text().equals("[")) {
      doubts.add(Doubt.COMPUTED_NAME);
    }
    if (!Lookalikes.isAscii(name.text())) {
      doubts.add(Doubt.HIDDEN_CHARACTER);
    }
    call.see(Words.joined(layer));
    call.see(Words.joined(Words.based(layer)));
    if (base.equals("git")) {
      int command = Git.command(layer);
      call.see(("git " + Words.joined(layer.subList(command, layer.size()))).strip());
    }
    expandName(call, layer);
    judge(call, base, layer);
    return base;
  }

  /** A list in braces may hold a command and its arguments. */
  private void expandName(SeenCommand call, List<Word> layer) {
    var name = layer.getFirst();
    if (name.computed() && name.raw().startsWith("{") && name.text().contains(",")) {
      var words = new ArrayList<Word>();
      Floor.braces(name.text()).forEach(part -> words.add(Word.plain(part)));
      words.addAll(layer.subList(1, layer.size()));
      call.see(Words.joined(words));
      judge(call, Names.base(words.getFirst().text()), words);
    }
  }

  private void judge(SeenCommand call, String base, List<Word> layer) {
    if (call.floor == null) {
      call.floor = Floor.of(base, layer);
    }
    if (call.hardFloor == null) {
      call.hardFloor = Floor.hard(base, layer, directory);
    }
  }

  /** What a command runs besides itself. */
  private void follow(SeenCommand call) {
    var words = call.innermost;
    var base = Names.base(words.getFirst().text());
    if (!words.getFirst().computed() && words.getFirst().text().indexOf(' ') >= 0) {
      script(Words.joined(words));
    } else if (Names.isShell(base)) {
      shell(call, words);
    } else {
      switch (base) {
        case "eval" -> evaluate(words);
        case "alias" -> alias(words);
        case "source", "." -> alsoRuns(call, words.subList(1, words.size()));
        case "cd", "pushd" -> change(words.size() > 1 ? words.get(1).text() : "~");
        case "export", "declare", "typeset", "local", "readonly" ->
            words.stream().skip(1).filter(Names::isAssignment).forEach(this::remember);
        default -> embedded(base, words);
      }
    }
  }

  private void change(String to) {
    boolean absolute = to.startsWith("/") || to.startsWith("~") || to.startsWith("$");
    directory = absolute || directory == null ? to : directory + "/" + to;
  }

  private void embedded(String base, List<Word> words) {
    var found = Embedded.in(base, words);
    if (found.opaque) {
      doubts.add(Doubt.EMBEDDED);
    }
    found.scripts.forEach(this::script);
    if (depth > ShellLexer.DEEPEST && !found.commands.isEmpty()) {
      doubts.add(Doubt.TOO_DEEP);
      return;
    }
    depth++;
    for (var command : found.commands) {
      if (affords(command.size())) {
        segment(Words.canonical(command), command, List.of(), true);
      } else {
        doubts.add(Doubt.TOO_DEEP);
      }
    }
    depth--;
  }

  private void evaluate(List<Word> words) {
    doubts.add(Doubt.EVALUATION);
    if (words.stream().anyMatch(Word::computed)) {
      doubts.add(Doubt.COMMANDS_FROM_INPUT);
    }
    script(Words.joined(words.subList(1, words.size())));
  }

  private void alias(List<Word> words) {
    doubts.add(Doubt.EVALUATION);
    for (var word : words.subList(1, words.size())) {
      script(word.text().substring(word.text().indexOf('=') + 1));
    }
  }

  private void shell(SeenCommand call, List<Word> words) {
    var told = ShellArguments.of(words);
    if (told.commandFollows()) {
      commandLine(call, words, told.rest());
    } else if (told.fromInput()) {
      input(call);
    } else {
      alsoRuns(call, words.subList(told.rest(), words.size()));
    }
  }

  /** A script that a shell reads, which may be found like a command. */
  private void alsoRuns(SeenCommand call, List<Word> script) {
    if (script.isEmpty()) {
      return;
    }
    if (depth > ShellLexer.DEEPEST || !affords(script.size())) {
      doubts.add(Doubt.TOO_DEEP);
      return;
    }
    boolean before = guessing;
    guessing = true;
    depth++;
    segment(Words.canonical(script), script, List.of(), call.piped);
    depth--;
    guessing = before;
  }

  private void commandLine(SeenCommand call, List<Word> words, int at) {
    if (at >= words.size()) {
      doubts.add(Doubt.COMMANDS_FROM_INPUT);
      return;
    }
    var script = words.get(at);
    if (script.computed()) {
      doubts.add(Doubt.COMMANDS_FROM_INPUT);
    }
    call.carries = at == words.size() - 1;
    script(script.text());
  }

  private void input(SeenCommand call) {
    boolean known = false;
    for (var redirect : call.redirects) {
      if (redirect.inline()) {
        known = true;
        script(redirect.target());
      }
    }
    if (!known || call.piped) {
      doubts.add(Doubt.COMMANDS_FROM_INPUT);
    } else {
      doubts.add(Doubt.EVALUATION);
    }
  }

  /** The command as it is if variables still have the values that the text gave them. */
  private void substituted(String raw) {
    if (guessing || raw.indexOf('$') < 0) {
      return;
    }
    var filled = Variables.fill(raw, variables, ShellText.LONGEST);
    if (filled == null) {
      doubts.add(Doubt.TOO_DEEP);
    } else {
      guessed(filled, raw);
    }
  }
}
