package io.fengyu.agent.run;

import io.fengyu.agent.journal.EventType;

/**
 * Notes what becomes of steps, in the state of the run and in its journal. Nothing is flushed here:
 * the end of a step shares a commit with what it sets off.
 */
final class StepNotes {

  private static final String TOO_MUCH =
      "the results of the run are longer than " + RunSize.RUN + " characters in all";

  private final RunWork work;
  private final RunState state;
  private final RunWriter writer;

  StepNotes(RunScope scope) {
    this.work = scope.work();
    this.state = scope.state();
    this.writer = scope.writer();
  }

  void skipped(int index) {
    state.run(index).skip();
    writer.hold(EventType.STEP_SKIPPED, StepEvents.skipped(index));
    state.settle(index);
  }

  /** A step failed before its tool was called. */
  void failed(int index, String error) {
    state.run(index).fail(error);
    writer.hold(
        EventType.STEP_FAILED,
        StepEvents.failed(work.plan().steps().get(index).step(), error, 0, 0));
  }

  /** A step that goes on after a decision was announced before. */
  void started(ReadyStep step) {
    var run = state.run(step.index());
    if (run.attempts() > 0) {
      step.call().intention().forEach(writer::hold);
    } else {
      writer.hold(EventType.STEP_START, StepEvents.start(step), step.call().intention());
    }
    run.start();
  }

  /** Called by the thread of the step. */
  void ended(StepPlan plan, StepEnd end, long durationMs) {
    switch (end) {
      case StepEnd.Completed completed when !state.keeps(completed.result()) ->
          failed(
              plan,
              new StepEnd.Failed(TOO_MUCH, completed.attempts(), completed.outcome()),
              durationMs);
      case StepEnd.Completed completed -> completed(plan, completed, durationMs);
      case StepEnd.Failed failed -> failed(plan, failed, durationMs);
      case StepEnd.Unsure unsure ->
          state.run(plan.index()).unsure(unsure.error(), unsure.attempts() + 1);
    }
  }

  /** A step that nobody will be asked about any more ends as it stands. */
  void givenUp(int index) {
    var run = state.run(index);
    var error = String.valueOf(run.error());
    int attempts = run.attempts() - 1;
    run.fail(error);
    writer.hold(
        EventType.STEP_FAILED,
        StepEvents.failed(work.plan().steps().get(index).step(), error, attempts, 0));
  }

  private void completed(StepPlan plan, StepEnd.Completed end, long durationMs) {
    state.run(plan.index()).complete(end.result(), end.output());
    writer.hold(
        EventType.STEP_COMPLETE,
        StepEvents.complete(plan.step(), end.result(), end.output(), end.attempts(), durationMs),
        end.outcome());
  }

  private void failed(StepPlan plan, StepEnd.Failed end, long durationMs) {
    state.run(plan.index()).fail(end.error());
    writer.hold(
        EventType.STEP_FAILED,
        StepEvents.failed(plan.step(), end.error(), end.attempts(), durationMs),
        end.outcome());
  }
}
