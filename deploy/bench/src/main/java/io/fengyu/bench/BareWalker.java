package io.fengyu.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** The floor of all graph runners: counts what a node still waits for, and does nothing else. */
final class BareWalker {

  private final int[] waitsFor;
  private final List<List<Integer>> dependents = new ArrayList<>();
  private final Executor threads;

  private BareWalker(int nodes, Executor threads) {
    this.waitsFor = new int[nodes];
    this.threads = threads;
    for (int i = 0; i < nodes; i++) {
      dependents.add(new ArrayList<>());
    }
  }

  static BareWalker chain(int nodes, Executor threads) {
    var walker = new BareWalker(nodes, threads);
    for (int i = 1; i < nodes; i++) {
      walker.edge(i - 1, i);
    }
    return walker;
  }

  static BareWalker fan(int nodes, Executor threads) {
    var walker = new BareWalker(nodes, threads);
    for (int i = 1; i < nodes - 1; i++) {
      walker.edge(0, i);
      walker.edge(i, nodes - 1);
    }
    return walker;
  }

  private void edge(int from, int to) {
    dependents.get(from).add(to);
    waitsFor[to]++;
  }

  void run() throws InterruptedException {
    var walk = new Walk();
    threads.execute(() -> walk.visit(0));
    walk.left.await();
  }

  private final class Walk {

    private final AtomicIntegerArray waiting = new AtomicIntegerArray(waitsFor);
    private final CountDownLatch left = new CountDownLatch(waitsFor.length);

    private void visit(int node) {
      for (int next : dependents.get(node)) {
        if (waiting.decrementAndGet(next) == 0) {
          threads.execute(() -> visit(next));
        }
      }
      left.countDown();
    }
  }
}
