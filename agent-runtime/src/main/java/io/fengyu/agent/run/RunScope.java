package io.fengyu.agent.run;

import io.fengyu.agent.journal.EventType;
import io.fengyu.agent.model.ModelSpent;

/** What all parts of one run's execution share. */
record RunScope(
    RunWork work, RunState state, RunWriter writer, Admission admission, RunHooks hooks) {

  /** Counts a request to a model, on record with whatever is written next. */
  void spent(ModelSpent spent) {
    admission.spending().asked(spent);
    noteUsage();
  }

  /** Puts on record what the run has used, unless its steps tell it. */
  void noteUsage() {
    var note = admission.spending().note();
    if (note != null) {
      writer.hold(EventType.USAGE, note);
    }
  }
}
