package io.fengyu.agent.job;

import io.fengyu.agent.job.JobStore.Known;
import io.fengyu.contract.problem.Problem;
import org.jspecify.annotations.Nullable;

/** What a caller can be refused about jobs. */
final class JobProblems {

  private JobProblems() {}

  static Known known(@Nullable Known job) {
    if (job == null) {
      throw Problem.of(404, "JOB_NOT_FOUND").asFailure();
    }
    return job;
  }

  static void checkEnabled(boolean enabled) {
    if (!enabled) {
      throw Problem.of(409, "CAPABILITY_DISABLED").with("capability", "job_cancel_v1").asFailure();
    }
  }

  static long cursor(@Nullable String afterSeq) {
    if (afterSeq == null) {
      return 0;
    }
    if (!afterSeq.matches("[0-9]{1,18}")) {
      throw Problem.of(400, "JOB_CURSOR_INVALID").asFailure();
    }
    return Long.parseLong(afterSeq);
  }
}
