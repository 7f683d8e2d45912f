package io.fengyu.scheduler.queue;

import io.fengyu.contract.db.DatabaseAway;
import io.fengyu.contract.instance.Instances;
import io.fengyu.contract.net.Drain;
import io.fengyu.scheduler.queue.TurnStore.Outcome;
import io.quarkus.arc.All;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * Everything this process wants decided about the queue, one turn after the other. What comes while
 * a turn is being carried out shares the next one, and its commit.
 */
@ApplicationScoped
public class Turns implements TaskAdmission {

  private static final Logger LOG = Logger.getLogger(Turns.class);
  private static final int AT_ONCE = 512;
  private static final int MOST_WAITING = 20_000;

  private final TurnStore store;
  private final UUID executor;
  private final QueueMetrics metrics;
  private final List<TaskStarter> starters;
  private final QueueLimits limits;
  private final ConcurrentLinkedQueue<Turn.Item> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();
  private final AtomicBoolean working = new AtomicBoolean();
  private final List<Consumer<Set<UUID>>> endListeners = new CopyOnWriteArrayList<>();
  private final List<Consumer<Set<String>>> ownerListeners = new CopyOnWriteArrayList<>();
  private volatile boolean open;
  private volatile boolean closed;

  @Inject
  Turns(
      TurnStore store,
      Instances instances,
      QueueMetrics metrics,
      @All List<TaskStarter> starters,
      QueueConfig config) {
    this(store, instances.id(), metrics, starters, QueueLimits.of(config));
  }

  Turns(
      TurnStore store,
      UUID executor,
      QueueMetrics metrics,
      List<TaskStarter> starters,
      QueueLimits limits) {
    this.store = store;
    this.executor = executor;
    this.metrics = metrics;
    this.starters = starters;
    this.limits = limits;
  }

  QueueLimits limits() {
    return limits;
  }

  /** From now on tasks are taken in and started: what an earlier process left is settled. */
  public void open() {
    open = true;
    look();
  }

  /** True once {@link #open()} was called. */
  public boolean isOpen() {
    return open;
  }

  void drain(@Observes Drain step) {
    if (step == Drain.CLOSED) {
      closed = true;
    }
  }

  /** Tells {@code listener} of tasks that ended in a turn of this process. */
  public void onEnd(Consumer<Set<UUID>> listener) {
    endListeners.add(listener);
  }

  /** Tells {@code listener} whose tasks ended in a turn of this process. */
  public void onEndOf(Consumer<Set<String>> listener) {
    ownerListeners.add(listener);
  }

  @Override
  public Uni<Admitted> submit(NewTask task) {
    return Uni.createFrom()
        .<Turn.Decision>emitter(
            answer -> {
              if (!open || closed) {
                answer.fail(TaskProblems.unavailable());
              } else {
                add(new Turn.Admit(task, answer::complete, answer::fail));
              }
            })
        .map(decision -> admitted(task, decision));
  }

  private Admitted admitted(NewTask task, Turn.Decision decision) {
    return switch (decision) {
      case Turn.Decision.In(var in) -> in;
      case Turn.Decision.Out(var refusal) -> {
        metrics.rejected(task.priority(), refusal.scope());
        throw TaskProblems.capacity(refusal);
      }
    };
  }

  /**
   * Stores the end of a task that this process has, and gives its slot on. Emits false when it has
   * it no more.
   */
  public Uni<Boolean> end(TaskEnd end) {
    return Uni.createFrom()
        .emitter(answer -> add(new Turn.Ended(end, answer::complete, answer::fail)));
  }

  /** Ends a queued task, or asks for the end of a running one. Emits false when there is none. */
  public Uni<Boolean> kill(String owner, UUID id) {
    return Uni.createFrom()
        .emitter(answer -> add(new Turn.Kill(id, owner, answer::complete, answer::fail)));
  }

  /** Has free slots given away, if there are any and something waits. */
  public void look() {
    add(new Turn.Look(failure -> LOG.debugf("The queue was not looked at: %s", failure)));
  }

  private void add(Turn.Item item) {
    if (size.incrementAndGet() > MOST_WAITING) {
      size.decrementAndGet();
      item.failed(TaskProblems.unavailable());
      return;
    }
    waiting.add(item);
    goOn();
  }

  private void goOn() {
    if (!waiting.isEmpty() && working.compareAndSet(false, true)) {
      carryOut(next());
    }
  }

  private Turn next() {
    var turn = new Turn();
    for (var item = waiting.poll(); item != null; item = waiting.poll()) {
      size.decrementAndGet();
      turn.add(item);
      if (turn.size() == AT_ONCE) {
        break;
      }
    }
    return turn;
  }

  private void carryOut(Turn turn) {
    if (turn.size() == 0) {
      over();
      return;
    }
    store
        .carryOut(turn, limits, executor, open && !closed)
        .subscribe()
        .with(
            outcome -> {
              begin(outcome);
              over();
              decided(turn, outcome);
            },
            failure -> failed(turn, failure));
  }

  private void over() {
    working.set(false);
    goOn();
  }

  // Before anything else is decided: a kill must find the body it is for.
  private void begin(Outcome outcome) {
    metrics.decided(outcome);
    if (!outcome.started().isEmpty()) {
      starters.forEach(starter -> starter.start(outcome.started()));
    }
  }

  private void decided(Turn turn, Outcome outcome) {
    turn.ends.forEach(ended -> ended.stored().accept(outcome.ended().contains(ended.end().id())));
    turn.kills.forEach(kill -> kill.done().accept(outcome.killed().containsKey(kill.id())));
    turn.admissions.forEach(admit -> answer(admit, outcome));
    tell(outcome);
  }

  private static void answer(Turn.Admit admit, Outcome outcome) {
    var decision = outcome.decisions().get(admit.task().id());
    if (decision == null) {
      admit.failed(TaskProblems.unavailable());
    } else {
      admit.decided().accept(decision);
    }
  }

  private void tell(Outcome outcome) {
    if (!outcome.endedOwners().isEmpty()) {
      ownerListeners.forEach(listener -> listener.accept(outcome.endedOwners()));
    }
    var over = new java.util.HashSet<>(outcome.ended());
    outcome.killed().forEach((id, killed) -> addIf(killed.wasQueued(), over, id));
    if (!over.isEmpty()) {
      endListeners.forEach(listener -> listener.accept(over));
    }
  }

  private static void addIf(boolean wanted, Set<UUID> all, UUID id) {
    if (wanted) {
      all.add(id);
    }
  }

  // One item that the database refuses must not take the others with it.
  private void failed(Turn turn, Throwable failure) {
    if (turn.size() == 1 || DatabaseAway.causes(failure)) {
      over();
      turn.items().forEach(item -> item.failed(failure));
      return;
    }
    LOG.warnf("A turn of %d is taken apart: %s", turn.size(), failure);
    oneByOne(turn.items());
  }

  private void oneByOne(List<Turn.Item> items) {
    if (items.isEmpty()) {
      over();
      return;
    }
    var turn = new Turn();
    turn.add(items.getFirst());
    store
        .carryOut(turn, limits, executor, open && !closed)
        .subscribe()
        .with(
            outcome -> {
              begin(outcome);
              oneByOne(items.subList(1, items.size()));
              decided(turn, outcome);
            },
            alone -> {
              turn.items().forEach(item -> item.failed(alone));
              oneByOne(items.subList(1, items.size()));
            });
  }
}
