package io.fengyu.agent.guard.shell;

import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Everything found out about one command on the way. */
final class SeenCommand {

  private final String raw;
  final List<Redirect> redirects;
  final boolean piped;
  final LinkedHashSet<String> names = new LinkedHashSet<>();
  private final LinkedHashSet<String> seen = new LinkedHashSet<>();
  boolean quiet = true;
  boolean carries;
  List<Word> innermost = List.of();
  @Nullable String floor;
  @Nullable String hardFloor;

  SeenCommand(String raw, List<Redirect> redirects, boolean piped) {
    this.raw = raw;
    this.redirects = redirects;
    this.piped = piped;
  }

  /** What the guard is told. */
  Segment toSegment(List<Word> words, boolean guessing) {
    see(raw);
    boolean writes = redirects.stream().anyMatch(Redirect::writes);
    var exact = new LinkedHashSet<String>();
    exact.add(raw);
    if (!writes && !words.isEmpty()) {
      exact.add(Words.canonical(words));
      if (quiet && !innermost.isEmpty()) {
        exact.add(Words.canonical(Words.based(innermost)));
      }
    }
    return new Segment(
        raw,
        innermost.isEmpty() ? raw : Words.canonical(Words.based(innermost)),
        names,
        List.copyOf(seen),
        List.copyOf(exact),
        writes,
        carries && quiet && !writes,
        guessing,
        floor,
        hardFloor);
  }

  /** Notes a way to write the command, for deny rules. */
  void see(String text) {
    seen.add(text);
    var plain = Lookalikes.plain(text);
    if (!plain.equals(text)) {
      seen.add(plain);
    }
  }
}
