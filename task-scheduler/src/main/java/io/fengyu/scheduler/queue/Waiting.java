package io.fengyu.scheduler.queue;

import java.util.Arrays;

/** One owner in the ring: how much of each class waits, and whose turn it is among the classes. */
final class Waiting {

  private static final Priority[] CYCLE = {
    Priority.INTERACTIVE,
    Priority.INTERACTIVE,
    Priority.INTERACTIVE,
    Priority.INTERACTIVE,
    Priority.NORMAL,
    Priority.NORMAL,
    Priority.BATCH
  };

  private final String owner;
  private final int[] queued;
  private long turn;
  private int place;

  Waiting(String owner, long turn, int place, int... queued) {
    this.owner = owner;
    this.turn = turn;
    this.place = place;
    this.queued = Arrays.copyOf(queued, 3);
  }

  String owner() {
    return owner;
  }

  long turn() {
    return turn;
  }

  int place() {
    return place;
  }

  int queued(Priority priority) {
    return queued[priority.slot()];
  }

  int queued() {
    return queued[0] + queued[1] + queued[2];
  }

  void add(Priority priority) {
    queued[priority.slot()]++;
  }

  void remove(Priority priority) {
    queued[priority.slot()]--;
  }

  /** Goes to the tail of the ring. */
  void last(long newTurn) {
    turn = newTurn;
  }

  /** Takes one task by the cycle, which goes on after the place that was used. */
  Priority take() {
    while (queued(CYCLE[place]) == 0) {
      place = (place + 1) % CYCLE.length;
    }
    var taken = CYCLE[place];
    place = (place + 1) % CYCLE.length;
    remove(taken);
    return taken;
  }

  Waiting copy() {
    return new Waiting(owner, turn, place, queued);
  }
}
