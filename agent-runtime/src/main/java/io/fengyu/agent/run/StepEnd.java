package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.agent.journal.Change;
import java.util.List;

/** How a step ended. */
sealed interface StepEnd {

  /** How often its tool was called; 0 when it was not. */
  int attempts();

  /** What became of the last call, to be committed with the end; empty for calls without effect. */
  List<Change> outcome();

  /** It has a result. */
  record Completed(String result, JsonNode output, int attempts, List<Change> outcome)
      implements StepEnd {}

  /** It failed, or was stopped. */
  record Failed(String error, int attempts, List<Change> outcome) implements StepEnd {}

  /**
   * It failed and may be tried again, but nobody can tell what the last attempt did: a person has
   * to decide.
   */
  record Unsure(String error, int attempts) implements StepEnd {

    @Override
    public List<Change> outcome() {
      return List.of();
    }
  }
}
