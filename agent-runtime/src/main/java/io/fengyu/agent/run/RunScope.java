package io.fengyu.agent.run;

/** What all parts of one run's execution share. */
record RunScope(
    RunWork work, RunState state, RunWriter writer, Admission admission, RunHooks hooks) {}
