package io.fengyu.agent.journal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The last committed events of a run that this process executes, shared by all who watch it. Older
 * ones are in the table, so this holds a bounded number and amount of them.
 */
final class LiveRun {

  private static final int MAX_EVENTS = 256;
  private static final int MAX_CHARS = 256 * 1024;

  private final UUID runId;
  private final String owner;
  private final ArrayDeque<StoredEvent> events = new ArrayDeque<>();
  private final List<Runnable> watchers = new ArrayList<>();
  private int chars;
  private long lastSeq;
  private boolean left;

  /**
   * @param lastSeq the last event already in the table; -1 for none
   */
  LiveRun(UUID runId, String owner, long lastSeq) {
    this.runId = runId;
    this.owner = owner;
    this.lastSeq = lastSeq;
  }

  UUID runId() {
    return runId;
  }

  String owner() {
    return owner;
  }

  synchronized long lastSeq() {
    return lastSeq;
  }

  /** Characters held; what the hub counts when it decides which ended run to forget. */
  synchronized int chars() {
    return chars;
  }

  /** Takes events in, oldest first, and wakes whoever watches. */
  void publish(List<StoredEvent> committed) {
    if (committed.isEmpty()) {
      return;
    }
    List<Runnable> awake;
    synchronized (this) {
      for (var event : committed) {
        take(event);
      }
      awake = watchers.isEmpty() ? List.of() : List.copyOf(watchers);
    }
    awake.forEach(Runnable::run);
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
      if (event.seq() > cursor) {
        page.add(event);
        room -= event.data().length();
        if (room <= 0) {
          break;
        }
      }
    }
    return page;
  }

  /** What comes next is published somewhere else. */
  void leave() {
    List<Runnable> awake;
    synchronized (this) {
      left = true;
      awake = List.copyOf(watchers);
    }
    awake.forEach(Runnable::run);
  }

  /** True when nothing more is published here. */
  synchronized boolean left() {
    return left;
  }

  /** Calls {@code wake} after every publication; it must return at once. */
  synchronized void watch(Runnable wake) {
    watchers.add(wake);
  }

  synchronized void unwatch(Runnable wake) {
    watchers.remove(wake);
  }
}
