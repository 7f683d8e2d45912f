package io.fengyu.scheduler.queue;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The order of starting. Owners with something queued form a ring; each slot goes to the head, who
 * moves to the tail if something of his is left. Only counts matter for it: which task it is, is
 * the order of arrival in the lane.
 */
final class Ring {

  private final Deque<Waiting> order = new ArrayDeque<>();
  private final Map<String, Waiting> byOwner = new HashMap<>();
  private final Set<String> touched = new LinkedHashSet<>();
  private final int[] queued = new int[3];
  private long lastTurn;

  /**
   * @param owners by turn, ascending; each has something queued
   */
  Ring(List<Waiting> owners) {
    for (var owner : owners) {
      order.add(owner);
      byOwner.put(owner.owner(), owner);
      lastTurn = owner.turn();
      for (var priority : Priority.values()) {
        queued[priority.slot()] += owner.queued(priority);
      }
    }
  }

  int queued() {
    return queued[0] + queued[1] + queued[2];
  }

  int queued(Priority priority) {
    return queued[priority.slot()];
  }

  int queued(String owner) {
    var waiting = byOwner.get(owner);
    return waiting == null ? 0 : waiting.queued();
  }

  int queued(String owner, Priority priority) {
    var waiting = byOwner.get(owner);
    return waiting == null ? 0 : waiting.queued(priority);
  }

  /** A task comes in; an owner without others joins at the tail, and at the start of the cycle. */
  void add(Lane lane) {
    var waiting = byOwner.get(lane.owner());
    if (waiting == null) {
      waiting = new Waiting(lane.owner(), ++lastTurn, 0);
      byOwner.put(lane.owner(), waiting);
      order.add(waiting);
    }
    waiting.add(lane.priority());
    queued[lane.priority().slot()]++;
    touched.add(lane.owner());
  }

  /** A task leaves without having started. */
  void remove(Lane lane) {
    var waiting = byOwner.get(lane.owner());
    if (waiting == null) {
      return;
    }
    waiting.remove(lane.priority());
    queued[lane.priority().slot()]--;
    touched.add(lane.owner());
    if (waiting.queued() == 0) {
      byOwner.remove(lane.owner());
      order.remove(waiting);
    }
  }

  /** The lane whose head is next; null when nothing waits. */
  @Nullable Lane next() {
    var head = order.poll();
    if (head == null) {
      return null;
    }
    var lane = new Lane(head.owner(), head.take());
    queued[lane.priority().slot()]--;
    touched.add(head.owner());
    if (head.queued() == 0) {
      byOwner.remove(head.owner());
    } else {
      head.last(++lastTurn);
      order.add(head);
    }
    return lane;
  }

  Collection<Waiting> owners() {
    return List.copyOf(order);
  }

  /** Owners that changed and still have something queued. */
  List<Waiting> changed() {
    return touched.stream().map(byOwner::get).filter(waiting -> waiting != null).toList();
  }

  /** Owners that changed and have nothing queued any more. */
  List<String> gone() {
    return touched.stream().filter(owner -> !byOwner.containsKey(owner)).toList();
  }

  Ring copy() {
    return new Ring(order.stream().map(Waiting::copy).toList());
  }
}
