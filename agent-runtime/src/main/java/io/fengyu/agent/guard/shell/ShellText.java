package io.fengyu.agent.guard.shell;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the text of a shell command would run, as far as that can be told without running it. */
public final class ShellText {

  /** No system passes a longer text to a shell. */
  public static final int LONGEST = 128 * 1024;

  private final List<Segment> segments;
  private final Set<Doubt> doubts;

  private ShellText(List<Segment> segments, EnumSet<Doubt> doubts) {
    this.segments = List.copyOf(segments);
    this.doubts = Collections.unmodifiableSet(doubts);
  }

  /**
   * Reads a text; always comes to an end, in a time that grows with its length only.
   *
   * @param directory where it is to run; null when nobody said
   */
  public static ShellText read(String command, @Nullable String directory) {
    if (command.length() > LONGEST) {
      return new ShellText(List.of(), EnumSet.of(Doubt.TOO_LONG));
    }
    var reader = new CommandReader(directory);
    reader.read(command);
    return new ShellText(reader.segments(), reader.doubts());
  }

  /** Every command in it, nested ones too. */
  public List<Segment> segments() {
    return segments;
  }

  /** What keeps it from telling for certain what runs. */
  public Set<Doubt> doubts() {
    return doubts;
  }

  /** The first doubt; null when there is none. */
  public @Nullable Doubt doubt() {
    return doubts.isEmpty() ? null : doubts.iterator().next();
  }

  /** The first doubt that leaves open which commands run at all; null when there is none. */
  public @Nullable Doubt undecidable() {
    return doubts.stream().filter(Doubt::undecidable).findFirst().orElse(null);
  }

  /** Why it can't be read to its end; null when it could. */
  public @Nullable Doubt unreadable() {
    return doubts.stream()
        .filter(doubt -> doubt.compareTo(Doubt.TOO_DEEP) >= 0)
        .findFirst()
        .orElse(null);
  }
}
