package io.fengyu.agent.guard.shell;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Here-documents that were announced on a line, and stand below it. */
final class HereDocs {

  private record HereDoc(String delimiter, boolean literal, boolean tabs, List<Redirect> into) {}

  private final ScriptCursor here;
  private final Set<Doubt> doubts;
  private final Consumer<String> expansions;
  private final Deque<HereDoc> pending = new ArrayDeque<>();

  /**
   * Of one script.
   *
   * @param expansions reads the commands in a text that is not literal
   */
  HereDocs(ScriptCursor here, Set<Doubt> doubts, Consumer<String> expansions) {
    this.here = here;
    this.doubts = doubts;
    this.expansions = expansions;
  }

  void announce(Word delimiter, boolean tabs, List<Redirect> into) {
    boolean literal = !delimiter.raw().equals(delimiter.text());
    pending.add(new HereDoc(delimiter.text(), literal, tabs, into));
  }

  boolean pending() {
    return !pending.isEmpty();
  }

  /** Reads all that were announced; the cursor is at the beginning of a line. */
  void read() {
    while (!pending.isEmpty()) {
      body(pending.removeFirst());
    }
  }

  private void body(HereDoc doc) {
    doubts.add(Doubt.NEWLINE);
    int start = here.at();
    while (here.more()) {
      int lineStart = here.at();
      int lineEnd = here.next('\n', lineStart);
      here.go(lineEnd + 1);
      if (endsHere(doc, lineStart, lineEnd)) {
        keep(doc, here.text().substring(start, lineStart));
        return;
      }
    }
    doubts.add(Doubt.UNBALANCED);
    keep(doc, here.text().substring(start));
  }

  private boolean endsHere(HereDoc doc, int lineStart, int lineEnd) {
    int from = lineStart;
    while (doc.tabs() && from < lineEnd && here.text().charAt(from) == '\t') {
      from++;
    }
    return lineEnd - from == doc.delimiter().length()
        && here.text().startsWith(doc.delimiter(), from);
  }

  private void keep(HereDoc doc, String body) {
    doc.into().add(new Redirect("<<", body));
    if (!doc.literal()) {
      expansions.accept(body);
    }
  }
}
