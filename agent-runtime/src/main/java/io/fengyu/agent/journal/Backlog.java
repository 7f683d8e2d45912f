package io.fengyu.agent.journal;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What logs have handed over and the database has not yet. Items are taken in their order by the
 * one writer; an item counts against the bound until it is released, which may be long after it was
 * taken. Nothing refuses an item: whoever writes asks for {@link #room} first.
 */
final class Backlog {

  private static final CompletableFuture<Void> NOW = CompletableFuture.completedFuture(null);

  private final long maxBytes;
  private final Queue<JournalItem> queue = new ConcurrentLinkedQueue<>();
  private final AtomicLong held = new AtomicLong();
  private final Queue<CompletableFuture<Void>> heldBack = new ConcurrentLinkedQueue<>();

  /**
   * @param maxBytes from here on writers are held back
   */
  Backlog(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  void add(JournalItem item) {
    held.addAndGet(item.bytes);
    queue.add(item);
  }

  boolean isEmpty() {
    return queue.isEmpty();
  }

  @Nullable JournalItem peek() {
    return queue.peek();
  }

  /** Takes what {@link #peek} showed. */
  void take() {
    queue.remove();
  }

  /** What nobody has taken yet, oldest first. */
  void forEach(Consumer<JournalItem> each) {
    queue.forEach(each);
  }

  /** The item is written, or never will be. */
  void release(JournalItem item) {
    var before = held.getAndAdd(-item.bytes);
    if (before - item.bytes < maxBytes && !heldBack.isEmpty()) {
      letIn();
    }
  }

  /** Completes once there is room for more. */
  CompletionStage<Void> room() {
    if (held.get() < maxBytes) {
      return NOW;
    }
    var room = new CompletableFuture<Void>();
    heldBack.add(room);
    if (held.get() < maxBytes) {
      letIn();
    }
    return room;
  }

  private void letIn() {
    for (var next = heldBack.poll(); next != null; next = heldBack.poll()) {
      next.complete(null);
    }
  }
}
