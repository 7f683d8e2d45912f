package io.fengyu.agent.run;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Asks all threads of a run to stop. Interrupts reach a thread only between {@link #enter} and
 * {@link #leave}, so that writing the journal is never interrupted.
 */
public final class StopFlag {

  private final ReentrantLock lock = new ReentrantLock();
  private final Set<Thread> working = new HashSet<>();
  private final RunBranches branches = new RunBranches();
  private volatile boolean requested;

  /** What is at work for the run beside its threads. */
  RunBranches branches() {
    return branches;
  }

  /** True once somebody asked. */
  public boolean requested() {
    return requested;
  }

  /** Asks; calling again does no harm. True for the first call. */
  public boolean request() {
    lock.lock();
    try {
      boolean first = !requested;
      requested = true;
      working.forEach(Thread::interrupt);
      return first;
    } finally {
      lock.unlock();
    }
  }

  /** The current thread begins something that may be interrupted; false when it must not. */
  public boolean enter() {
    lock.lock();
    try {
      return !requested && working.add(Thread.currentThread());
    } finally {
      lock.unlock();
    }
  }

  /** The current thread is done with that, and its interrupt status is clean again. */
  public void leave() {
    lock.lock();
    try {
      working.remove(Thread.currentThread());
      Thread.interrupted();
    } finally {
      lock.unlock();
    }
  }
}
