package io.fengyu.agent.journal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The last events of a run that this process executes, shared by all who watch it: committed ones,
 * and fragments of text that soon will be. Older ones are in the table, so this holds a bounded
 * number and amount of them.
 */
final class LiveRun {

  private static final int MAX_EVENTS = 256;
  private static final int MAX_CHARS = 256 * 1024;

  private final UUID runId;
  private final String owner;

  // Guarded by this monitor, which is never held while blocking.
  private final ArrayDeque<StoredEvent> events = new ArrayDeque<>();
  private int chars;
  private long lastSeq;
  private long storedSeq;
  private boolean left;

  /**
   * @param lastSeq the last event already in the table; -1 for none
   */
  LiveRun(UUID runId, String owner, long lastSeq) {
    this.runId = runId;
    this.owner = owner;
    this.lastSeq = lastSeq;
    this.storedSeq = lastSeq;
  }

  UUID runId() {
    return runId;
  }

  String owner() {
    return owner;
  }

  /** The newest event that may be shown. */
  synchronized long lastSeq() {
    return lastSeq;
  }

  /** Characters held; what counts when it is decided which ended run to forget. */
  synchronized int chars() {
    return chars;
  }

  /** Takes committed events in, oldest first; what was shown before is only noted as stored. */
  synchronized void publish(List<StoredEvent> committed) {
    for (var event : committed) {
      if (event.seq() > lastSeq) {
        take(event);
      }
      storedSeq = event.seq();
    }
  }

  /** Takes in a fragment that is not stored yet; false when something before it is missing. */
  synchronized boolean show(StoredEvent fragment) {
    if (fragment.seq() != lastSeq + 1) {
      return false;
    }
    take(fragment);
    return true;
  }

  private void take(StoredEvent event) {
    events.addLast(event);
    chars += event.data().length();
    lastSeq = event.seq();
    while (events.size() > MAX_EVENTS || (chars > MAX_CHARS && events.size() > 1)) {
      chars -= events.removeFirst().data().length();
    }
  }

  /**
   * What follows {@code cursor}, at most about {@code maxChars} of it.
   *
   * @return empty when there is nothing newer; null when it is in the table only
   */
  synchronized @Nullable List<StoredEvent> after(long cursor, int maxChars) {
    if (cursor >= lastSeq) {
      return List.of();
    }
    var oldest = events.peekFirst();
    if (oldest == null || oldest.seq() > cursor + 1) {
      return null;
    }
    var page = new ArrayList<StoredEvent>();
    var room = maxChars;
    for (var event : events) {
      if (room > 0 && event.seq() > cursor) {
        page.add(event);
        room -= event.data().length();
      }
    }
    return page;
  }

  /** True when the newest event is the last of the run. */
  synchronized boolean over() {
    var newest = events.peekLast();
    return newest != null && newest.terminal();
  }

  /** What comes next, if anything, is published somewhere else. */
  synchronized void leave() {
    left = true;
  }

  /** True when a reader has seen fragments that were never stored, and nothing more comes here. */
  synchronized boolean tornBefore(long cursor) {
    return left && cursor > storedSeq;
  }

  /** True when nothing more is published here. */
  synchronized boolean left() {
    return left;
  }
}
