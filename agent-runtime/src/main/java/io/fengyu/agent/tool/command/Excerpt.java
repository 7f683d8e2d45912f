package io.fengyu.agent.tool.command;

import java.util.Arrays;

/**
 * Keeps the beginning and the end of a text of any length in bounded memory. Counts characters as
 * people do: a surrogate pair is one, and is never cut.
 */
final class Excerpt {

  private final int[] head;
  private final int[] tail;
  private int inHead;
  private long afterHead;

  /**
   * @param limit how many characters are kept: three quarters of them from the beginning
   */
  Excerpt(int limit) {
    head = new int[limit * 3 / 4];
    tail = new int[limit - head.length];
  }

  /** Adds the first {@code count} characters. */
  void add(int[] characters, int count) {
    int first = Math.min(count, head.length - inHead);
    System.arraycopy(characters, 0, head, inHead, first);
    inHead += first;
    int from = Math.max(first, count - tail.length);
    afterHead += from - first;
    while (from < count) {
      int at = (int) (afterHead % tail.length);
      int some = Math.min(count - from, tail.length - at);
      System.arraycopy(characters, from, tail, at, some);
      afterHead += some;
      from += some;
    }
  }

  /** True when something is left out. */
  boolean truncated() {
    return omitted() > 0;
  }

  private long omitted() {
    return Math.max(0, afterHead - tail.length);
  }

  /** The whole text, or its ends and how much is missing between them. */
  String text() {
    var text = new StringBuilder(new String(head, 0, inHead));
    if (truncated()) {
      text.append("\n... [omitted ").append(omitted()).append(" characters] ...\n");
    }
    int kept = (int) Math.min(afterHead, tail.length);
    int start = (int) ((afterHead - kept) % tail.length);
    var inOrder = Arrays.copyOfRange(tail, start, Math.min(start + kept, tail.length));
    text.append(new String(inOrder, 0, inOrder.length));
    return text.append(new String(tail, 0, kept - inOrder.length)).toString();
  }
}
