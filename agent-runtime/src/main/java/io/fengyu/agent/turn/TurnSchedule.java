package io.fengyu.agent.turn;

import io.fengyu.agent.turn.TurnCalls.End;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Makes the calls of one turn: those that may run side by side do, so many at once as are allowed,
 * and a call whose predecessor did not succeed is not made at all.
 */
public final class TurnSchedule {

  private final CallGraph graph;
  private final TurnCalls calls;
  private final int atOnce;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition settled = lock.newCondition();

  // Guarded by the lock.
  private final TreeSet<Integer> ready = new TreeSet<>();
  private final int[] waitsFor;
  private final List<List<Integer>> unsuccessful = new ArrayList<>();
  private int running;
  private int left;
  private @Nullable Throwable fault;

  private TurnSchedule(CallGraph graph, TurnCalls calls, int atOnce) {
    this.graph = graph;
    this.calls = calls;
    this.atOnce = atOnce;
    this.waitsFor = new int[graph.size()];
    this.left = graph.size();
    for (int call = 0; call < graph.size(); call++) {
      unsuccessful.add(new ArrayList<>());
      waitsFor[call] = graph.before(call).size();
      if (waitsFor[call] == 0) {
        ready.add(call);
      }
    }
  }

  /**
   * Blocks until every call is over or was passed over; an interrupt is kept for later, since calls
   * come back by themselves. What one of them threw is thrown here, after the last has ended.
   */
  public static void run(CallGraph graph, TurnCalls calls, int atOnce) {
    new TurnSchedule(graph, calls, atOnce).run();
  }

  private void run() {
    lock.lock();
    try {
      while (left > 0) {
        startReady();
        if (left > 0 && running > 0) {
          settled.awaitUninterruptibly();
        }
      }
    } finally {
      lock.unlock();
    }
    if (fault instanceof RuntimeException thrown) {
      throw thrown;
    }
    if (fault != null) {
      throw new IllegalStateException("A call of the turn broke off", fault);
    }
  }

  private void startReady() {
    while (!ready.isEmpty() && running < atOnce) {
      int call = ready.removeFirst();
      if (unsuccessful.get(call).isEmpty() && fault == null) {
        running++;
        Thread.startVirtualThread(() -> make(call));
      } else {
        passOver(call);
      }
    }
  }

  private void passOver(int call) {
    try {
      calls.blocked(call, unsuccessful.get(call).stream().sorted().toList());
    } catch (RuntimeException thrown) {
      fault = fault == null ? thrown : fault;
    }
    settle(call, false);
  }

  private void make(int call) {
    var end = End.FAILED;
    Throwable thrown = null;
    try {
      end = calls.make(call);
    } catch (RuntimeException | Error broken) {
      thrown = broken;
    }
    lock.lock();
    try {
      running--;
      fault = fault == null ? thrown : fault;
      settle(call, end == End.SUCCEEDED);
      settled.signal();
    } finally {
      lock.unlock();
    }
  }

  private void settle(int call, boolean succeeded) {
    left--;
    for (int later : graph.after(call)) {
      if (!succeeded) {
        unsuccessful.get(later).add(call);
      }
      if (--waitsFor[later] == 0) {
        ready.add(later);
      }
    }
  }
}
