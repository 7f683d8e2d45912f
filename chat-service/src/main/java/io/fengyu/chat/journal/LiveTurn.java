package io.fengyu.chat.journal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A turn that this process executes. One thread at a time says what happens; fragments of text are
 * shown at once, everything else once it is stored.
 */
public final class LiveTurn {

  // Stored frames are kept so far for readers who are a little behind; the rest is in the table.
  private static final int WINDOW_BYTES = 16 * 1024;
  // What is not stored yet is bounded: past it the model is not read any further.
  private static final int UNSTORED_BYTES = 1024 * 1024;

  private static final int TRIMMED_AT_ONCE = 2000;

  private record Waiting(long seq, CompletableFuture<Void> stored) {}

  private final UUID id;
  private final String owner;
  private final TurnJournal journal;
  private final FrameWindow window = new FrameWindow();
  private final List<Waiting> waiting = new ArrayList<>();
  private final List<Runnable> watchers = new CopyOnWriteArrayList<>();
  private final StringBuilder words = new StringBuilder();
  private long next;
  private long trimmed;
  private long stored = -1;
  private long visible = -1;
  private @Nullable TextPiece piece;
  private @Nullable Runnable whenRoom;
  private @Nullable Runnable stopper;
  private boolean stopRequested;
  private boolean lost;
  private boolean left;
  private volatile boolean ended;

  LiveTurn(UUID id, String owner, TurnJournal journal) {
    this.id = id;
    this.owner = owner;
    this.journal = journal;
  }

  /** The turn, and its stream. */
  public UUID id() {
    return id;
  }

  /** Whose turn it is. */
  public String owner() {
    return owner;
  }

  /** A fragment of the reply. */
  public void token(String text) {
    synchronized (this) {
      words.append(text);
    }
    fragment(Frame.TOKEN, text);
  }

  /** A fragment of the chain of thought. */
  public void thinking(String text) {
    fragment(Frame.THINKING, text);
  }

  private void fragment(String type, String text) {
    boolean opened;
    synchronized (this) {
      if (ended || lost) {
        return;
      }
      var frame = Frame.fragment(next++, type, text);
      keep(frame);
      visible = frame.seq();
      opened = collect(type, text, frame.seq());
    }
    if (opened) {
      journal.pieceOpened(this);
    }
    wake();
  }

  private boolean collect(String type, String text, long seq) {
    var current = piece;
    if (current != null && !current.takes(type, text)) {
      closePiece();
      current = null;
    }
    var opened = current == null;
    if (current == null) {
      current = new TextPiece(type, seq);
      piece = current;
    }
    current.add(text);
    if (current.full()) {
      closePiece();
      return false;
    }
    return opened;
  }

  /** Hands the fragments that were collected over to be stored. */
  synchronized void closePiece() {
    var current = piece;
    if (current != null) {
      piece = null;
      journal.add(current.row(this));
    }
  }

  /**
   * Something that happened with a tool.
   *
   * @return completes once it is stored and shown; fails when the turn is not this process's any
   *     more
   */
  public CompletableFuture<Void> tool(ObjectNode data) {
    var done = new CompletableFuture<Void>();
    synchronized (this) {
      if (ended || lost) {
        done.completeExceptionally(new LostTurnException());
        return done;
      }
      closePiece();
      var seq = next++;
      var text = data.toString();
      keep(Frame.of(seq, Frame.TOOL, text));
      waiting.add(new Waiting(seq, done));
      journal.add(new EventRow(this, seq, seq, Frame.TOOL, text));
    }
    return done;
  }

  /** Completes once everything said so far is stored. */
  CompletableFuture<Void> flushed() {
    var done = new CompletableFuture<Void>();
    synchronized (this) {
      closePiece();
      if (lost) {
        done.completeExceptionally(new LostTurnException());
      } else if (stored == next - 1) {
        done.complete(null);
      } else {
        waiting.add(new Waiting(next - 1, done));
      }
    }
    return done;
  }

  private void keep(Frame frame) {
    window.add(frame);
    window.trim(WINDOW_BYTES, stored);
  }

  /** The journal has stored everything up to there. */
  void stored(long seq) {
    var due = new ArrayList<Waiting>();
    Runnable room;
    synchronized (this) {
      stored = Math.max(stored, seq);
      if (stored > visible) {
        visible = stored;
      }
      window.trim(WINDOW_BYTES, stored);
      waiting.removeIf(one -> one.seq() <= stored && due.add(one));
      room = roomAgain();
    }
    wake();
    due.forEach(one -> one.stored().complete(null));
    if (room != null) {
      room.run();
    }
  }

  private @Nullable Runnable roomAgain() {
    var room = window.bytes() < UNSTORED_BYTES ? whenRoom : null;
    if (room != null) {
      whenRoom = null;
    }
    return room;
  }

  /** Runs it as soon as more may be said: at once, or when the journal has caught up. */
  public void whenRoom(Runnable then) {
    synchronized (this) {
      if (window.bytes() >= UNSTORED_BYTES && !lost && !ended) {
        whenRoom = then;
        return;
      }
    }
    then.run();
  }

  /** Up to where events may go now, if that is worth a statement; 0 when it is not. */
  synchronized long trimmedTo(long bound) {
    if (bound < trimmed + TRIMMED_AT_ONCE) {
      return 0;
    }
    trimmed = bound;
    return bound;
  }

  /** All words of the reply so far. */
  public synchronized String words() {
    return words.toString();
  }

  // --- the end

  synchronized long nextSeq() {
    return next;
  }

  /** The last event is stored. */
  void ended(Frame last) {
    synchronized (this) {
      next = last.seq() + 1;
      keep(last);
      stored = last.seq();
      visible = last.seq();
      ended = true;
    }
    wake();
  }

  boolean over() {
    return ended;
  }

  /** Another process has declared it over; nothing more is said here. */
  void lose() {
    List<Waiting> all;
    synchronized (this) {
      if (lost || ended) {
        return;
      }
      lost = true;
      left = true;
      all = List.copyOf(waiting);
      waiting.clear();
      whenRoom = null;
    }
    all.forEach(one -> one.stored().completeExceptionally(new LostTurnException()));
    stop();
    wake();
  }

  synchronized boolean left() {
    return left;
  }

  /** What is shown was stored, up to and including this event. */
  synchronized boolean storedUpTo(long seq) {
    return seq <= stored;
  }

  // --- stopping

  /** Asks whoever executes it to stop; more than once is once. */
  void stop() {
    Runnable then;
    synchronized (this) {
      stopRequested = true;
      then = stopper;
    }
    if (then != null) {
      then.run();
    }
  }

  /** True once it is to end as soon as possible. */
  public synchronized boolean stopRequested() {
    return stopRequested;
  }

  /** Told when the turn is to stop; at once when that was asked already. Null for nobody. */
  public void onStop(@Nullable Runnable then) {
    boolean now;
    synchronized (this) {
      stopper = then;
      now = stopRequested;
    }
    if (now && then != null) {
      then.run();
    }
  }

  // --- readers

  /** What follows the cursor as far as it may be shown; null when that is only in the table. */
  synchronized @Nullable List<Frame> after(long cursor, int maxBytes) {
    return window.after(cursor, visible, maxBytes);
  }

  synchronized long lastVisible() {
    return visible;
  }

  void watch(Runnable wake) {
    watchers.add(wake);
  }

  void unwatch(Runnable wake) {
    watchers.remove(wake);
  }

  private void wake() {
    watchers.forEach(Runnable::run);
  }
}
