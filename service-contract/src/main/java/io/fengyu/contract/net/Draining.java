package io.fengyu.contract.net;

import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.jboss.logging.Logger;

/** An orderly stop: not ready, then no new work, then the wait for what is running. */
@ApplicationScoped
public class Draining {

  private static final Logger LOG = Logger.getLogger(Draining.class);
  private static final Duration LOOK = Duration.ofMillis(20);

  private final NetConfig config;
  private final Event<Drain> steps;
  private final AtomicInteger requests = new AtomicInteger();
  private final List<IntSupplier> work = new CopyOnWriteArrayList<>();
  private volatile boolean begun;
  private volatile boolean closed;

  Draining(NetConfig config, Event<Drain> steps) {
    this.config = config;
    this.steps = steps;
  }

  /** True from the moment the process was told to stop. */
  public boolean begun() {
    return begun;
  }

  /** True once new work is refused. */
  public boolean closed() {
    return closed;
  }

  /**
   * Lets an orderly stop wait for work that is no request.
   *
   * @param running how much of it is running now
   */
  public void awaits(IntSupplier running) {
    work.add(running);
  }

  void entered() {
    requests.incrementAndGet();
  }

  void left() {
    requests.decrementAndGet();
  }

  void stop(@Observes ShutdownDelayInitiatedEvent told) {
    begun = true;
    LOG.info("Stopping: not ready any more");
    steps.fire(Drain.BEGINS);
    try {
      Thread.sleep(config.shutdownDelay());
      closed = true;
      steps.fire(Drain.CLOSED);
      awaitRunning();
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
    steps.fire(Drain.DEADLINE);
  }

  // The thread that stops the process has nothing else to do, so it looks instead of being told.
  private void awaitRunning() throws InterruptedException {
    var deadline = System.nanoTime() + config.shutdownTimeout().toNanos();
    var left = running();
    while (left > 0 && System.nanoTime() - deadline < 0) {
      Thread.sleep(LOOK);
      left = running();
    }
    if (left > 0) {
      LOG.warnf("%d requests or runs did not finish in time", left);
    }
  }

  private int running() {
    return requests.get() + work.stream().mapToInt(IntSupplier::getAsInt).sum();
  }
}
