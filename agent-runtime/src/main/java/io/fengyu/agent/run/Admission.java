package io.fengyu.agent.run;

/**
 * Whether something new may start in a run: a level, a step, an attempt, a wait, a request to a
 * model. Everybody who is about to start something asks here.
 */
final class Admission {

  private final StopFlag stop;
  private final Spending spending;

  Admission(StopFlag stop) {
    this(stop, Spending.free());
  }

  Admission(StopFlag stop, Spending spending) {
    this.stop = stop;
    this.spending = spending;
  }

  /** What the run has used. */
  Spending spending() {
    return spending;
  }

  /** False once the run has to come to its end; what runs already is not concerned. */
  boolean open() {
    return !stop.requested() && spending.mayStart();
  }

  /** True once somebody asked for the end of the run; what runs is interrupted then. */
  boolean stopped() {
    return stop.requested();
  }

  /** Asks for that end; true for the first call. */
  boolean stop() {
    return stop.request();
  }

  /**
   * The current thread begins something that an end of the run may interrupt; false when it must
   * not. Whoever was let in calls {@link #leave}.
   */
  boolean enter() {
    return open() && stop.enter();
  }

  /** The current thread is done with that, and its interrupt status is clean again. */
  void leave() {
    stop.leave();
  }

  /** What is at work for the run beside its threads. */
  RunBranches branches() {
    return stop.branches();
  }

  /** Waits; false when the end of the run came first. */
  boolean pause(long millis) {
    if (!enter()) {
      return false;
    }
    try {
      Thread.sleep(millis);
      return true;
    } catch (InterruptedException e) {
      return false;
    } finally {
      leave();
    }
  }
}
