package io.fengyu.scheduler.queue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one holder of the queue's lock decides: who comes in, and who starts. Knows counts and order
 * as they were stored when the lock was taken; its decisions are stored before it is given back.
 */
final class Queue {

  private final QueueLimits limits;
  private final Ring ring;
  private final boolean starts;
  private final Map<Lane, Integer> stored = new LinkedHashMap<>();
  private final Map<Lane, List<NewTask>> fresh = new LinkedHashMap<>();
  private final Map<Lane, Integer> claimed = new LinkedHashMap<>();
  private final List<NewTask> started = new ArrayList<>();
  private final List<NewTask> admitted = new ArrayList<>();
  private int running;

  /**
   * @param running bodies that run now, on all replicas
   * @param starts false when this process starts nothing
   */
  Queue(QueueLimits limits, int running, Ring ring, boolean starts) {
    this.limits = limits;
    this.running = running;
    this.ring = ring;
    this.starts = starts;
    for (var owner : ring.owners()) {
      for (var priority : Priority.values()) {
        stored.put(new Lane(owner.owner(), priority), owner.queued(priority));
      }
    }
  }

  /** Lets a task in, and start if it can; otherwise tells why there is no room. */
  @Nullable Refusal admit(NewTask task) {
    fill();
    var refusal = refusal(task.owner(), task.priority());
    if (refusal != null) {
      return refusal;
    }
    var lane = new Lane(task.owner(), task.priority());
    ring.add(lane);
    fresh.computeIfAbsent(lane, none -> new ArrayList<>()).add(task);
    admitted.add(task);
    fill();
    return null;
  }

  /** Gives every free slot to who is next. */
  void fill() {
    while (starts && running < limits.running()) {
      var lane = ring.next();
      if (lane == null) {
        return;
      }
      running++;
      take(lane);
    }
  }

  // What was stored before came before what comes now.
  private void take(Lane lane) {
    if (stored.getOrDefault(lane, 0) > 0) {
      stored.merge(lane, -1, Integer::sum);
      claimed.merge(lane, 1, Integer::sum);
    } else {
      started.add(fresh.getOrDefault(lane, List.of()).removeFirst());
    }
  }

  private @Nullable Refusal refusal(String owner, Priority priority) {
    var queued = ring.queued();
    if (running + queued < limits.running()) {
      return null; // a slot is free for it, whoever takes it
    }
    int most = limits.running() + limits.all().queued();
    if (running + queued >= most || queued >= limits.all().queued()) {
      return new Refusal("global", null, limits.all().queued());
    }
    if (ring.queued(owner) >= limits.owner().queued()) {
      return new Refusal("owner", null, limits.owner().queued());
    }
    return priority == Priority.INTERACTIVE ? null : ofClass(owner, priority);
  }

  private @Nullable Refusal ofClass(String owner, Priority priority) {
    var batch = priority == Priority.BATCH;
    var own = limits.owner();
    var all = limits.all();
    int ownBatch = ring.queued(owner, Priority.BATCH);
    int allBatch = ring.queued(Priority.BATCH);
    if (batch && ownBatch >= own.batch()) {
      return new Refusal("owner-priority", Priority.BATCH, own.batch());
    }
    if (ownBatch + ring.queued(owner, Priority.NORMAL) >= own.nonInteractive()) {
      return new Refusal("owner-priority", priority, own.nonInteractive());
    }
    if (batch && allBatch >= all.batch()) {
      return new Refusal("global-priority", Priority.BATCH, all.batch());
    }
    if (allBatch + ring.queued(Priority.NORMAL) >= all.nonInteractive()) {
      return new Refusal("global-priority", priority, all.nonInteractive());
    }
    return null;
  }

  /** How many stored tasks start, by lane: so many from its head. */
  Map<Lane, Integer> claimed() {
    return claimed;
  }

  /** Tasks that came in, in that order. */
  List<NewTask> admitted() {
    return admitted;
  }

  /** Those of them that start at once. */
  List<NewTask> started() {
    return started;
  }

  Ring ring() {
    return ring;
  }

  int running() {
    return running;
  }
}
