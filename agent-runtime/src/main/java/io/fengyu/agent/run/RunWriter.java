package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.journal.Change;
import io.fengyu.agent.journal.EventType;
import io.fengyu.agent.journal.FencedException;
import io.fengyu.agent.journal.RunLog;
import io.fengyu.agent.journal.RunLog.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes a run's journal for all threads of the run. An entry can be held back until the next one
 * is written, so that the end of a step and the start of those that follow are one commit.
 */
final class RunWriter {

  private static final int MANY = 256;

  private final RunLog log;
  private final ReentrantLock lock = new ReentrantLock();
  private List<Entry> entries = new ArrayList<>();
  private List<Change> changes = new ArrayList<>();
  private boolean cancelNoted;

  RunWriter(RunLog log) {
    this.log = log;
  }

  /** Adds an event to what {@link #flush} will write. */
  void hold(EventType type, ObjectNode data) {
    lock.lock();
    try {
      entries.add(new Entry(type, data));
    } finally {
      lock.unlock();
    }
  }

  /** Adds a change to what {@link #flush} will write. */
  void hold(Change change) {
    lock.lock();
    try {
      changes.add(change);
    } finally {
      lock.unlock();
    }
  }

  /** Adds an event together with the change it reports; null for none. */
  void hold(EventType type, ObjectNode data, List<Change> with) {
    lock.lock();
    try {
      entries.add(new Entry(type, data));
      changes.addAll(with);
    } finally {
      lock.unlock();
    }
  }

  /** Adds that a cancel was asked for, unless that is written already. */
  void holdCancelRequest() {
    lock.lock();
    try {
      if (!cancelNoted) {
        cancelNoted = true;
        entries.add(new Entry(EventType.CANCEL_REQUESTED, JsonNodeFactory.instance.objectNode()));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Writes a fragment of a text, shown at once; what is held stays so. */
  void text(EventType type, String text) {
    lock.lock();
    try {
      log.appendText(type, text);
    } finally {
      lock.unlock();
    }
    await(log.room());
  }

  /** Hands everything held to the journal, as one commit. */
  void flush() {
    lock.lock();
    try {
      if (entries.isEmpty() && changes.isEmpty()) {
        return;
      }
      var events = entries;
      var with = changes;
      entries = new ArrayList<>();
      changes = new ArrayList<>();
      log.append(events, with);
    } finally {
      lock.unlock();
    }
    await(log.room());
    if (log.pending() > MANY) {
      awaitDurable();
    }
  }

  /** Flushes, and returns when all of it is on disk. */
  void flushDurably() {
    flush();
    awaitDurable();
  }

  /**
   * Returns when everything flushed is on disk and the run is still ours.
   *
   * @throws FencedException when it is somebody else's
   */
  void awaitDurable() {
    await(log.durable());
    checkHeld();
  }

  /**
   * Makes sure that the run is still ours.
   *
   * @throws FencedException when it is not
   */
  void checkHeld() {
    if (!log.held()) {
      throw new FencedException(log.runId());
    }
  }

  /** True when what was written as the end of the run became a cancel. */
  boolean endedAsCancelled() {
    return log.endedAsCancelled();
  }

  private static void await(CompletionStage<Void> stage) {
    CompletableFuture<Void> future = stage.toCompletableFuture();
    if (future.isDone() && !future.isCompletedExceptionally()) {
      return;
    }
    try {
      future.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }
}
