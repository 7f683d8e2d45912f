package io.fengyu.agent.run;

import io.fengyu.agent.tool.Branches;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What is at work for one run in this process, beside the threads of its steps. */
final class RunBranches implements Branches {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Set<Open> open = new LinkedHashSet<>();
  private final List<Seen> ended = new ArrayList<>();
  private boolean watched;
  private long changes;

  /**
   * A branch as somebody who watches sees it.
   *
   * @param endedAt null while it lasts
   */
  record Seen(Kind kind, String id, Instant startedAt, @Nullable Instant endedAt) {}

  /**
   * All branches of a moment.
   *
   * @param number of the moment, for {@link #awaitAfter}
   */
  record Moment(List<Seen> branches, long number) {}

  private final class Open implements Branch {

    private final Kind kind;
    private final String id;
    private final Instant since = now();

    private Open(Kind kind, String id) {
      this.kind = kind;
      this.id = id;
    }

    private Seen seen(@Nullable Instant endedAt) {
      return new Seen(kind, id, since, endedAt);
    }

    @Override
    public void close() {
      end(this);
    }
  }

  // As exact as the database keeps it.
  private static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.MICROS);
  }

  @Override
  public Branch begin(Kind kind, String id) {
    var branch = new Open(kind, id);
    lock.lock();
    try {
      open.add(branch);
      change();
    } finally {
      lock.unlock();
    }
    return branch;
  }

  private void end(Open branch) {
    lock.lock();
    try {
      if (open.remove(branch)) {
        if (watched) {
          ended.add(branch.seen(now()));
        }
        change();
      }
    } finally {
      lock.unlock();
    }
  }

  private void change() {
    changes++;
    changed.signalAll();
  }

  /** From now on those that end are remembered; false when they were before. */
  boolean watch() {
    lock.lock();
    try {
      boolean first = !watched;
      watched = true;
      return first;
    } finally {
      lock.unlock();
    }
  }

  /** What lasts, and what has ended since {@link #watch}. */
  Moment moment() {
    lock.lock();
    try {
      var all = new ArrayList<>(ended);
      open.forEach(branch -> all.add(branch.seen(null)));
      return new Moment(all, changes);
    } finally {
      lock.unlock();
    }
  }

  /** Returns when something has changed since; false, at once, when nothing is left to change. */
  boolean awaitAfter(Moment moment) {
    lock.lock();
    try {
      while (changes == moment.number() && !open.isEmpty()) {
        changed.awaitUninterruptibly();
      }
      return changes != moment.number();
    } finally {
      lock.unlock();
    }
  }

  /** Returns when all of it has ended; cannot be interrupted. */
  void awaitEnd() {
    lock.lock();
    try {
      while (!open.isEmpty()) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }
}
