package io.fengyu.agent.run;

import io.fengyu.agent.tool.Branches;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** What is at work for one run in this process, beside the threads of its steps. */
final class RunBranches implements Branches {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition fewer = lock.newCondition();
  private final Set<Open> open = new LinkedHashSet<>();

  /** One that was begun and has not ended. */
  final class Open implements Branch {

    private final Kind kind;
    private final String id;
    private final Instant since;

    private Open(Kind kind, String id, Instant since) {
      this.kind = kind;
      this.id = id;
      this.since = since;
    }

    Kind kind() {
      return kind;
    }

    String id() {
      return id;
    }

    Instant since() {
      return since;
    }

    @Override
    public void close() {
      end(this);
    }
  }

  @Override
  public Branch begin(Kind kind, String id) {
    var branch = new Open(kind, id, Instant.now());
    lock.lock();
    try {
      open.add(branch);
    } finally {
      lock.unlock();
    }
    return branch;
  }

  private void end(Open branch) {
    lock.lock();
    try {
      if (open.remove(branch)) {
        fewer.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** What has not ended, oldest first. */
  List<Open> open() {
    lock.lock();
    try {
      return new ArrayList<>(open);
    } finally {
      lock.unlock();
    }
  }

  /** Returns when all of it has ended; cannot be interrupted. */
  void awaitEnd() {
    lock.lock();
    try {
      while (!open.isEmpty()) {
        fewer.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }
}
