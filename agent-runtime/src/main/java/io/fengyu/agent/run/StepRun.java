package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * How far one step has come. Written by the thread that runs the step, read by later levels only.
 */
final class StepRun {

  /** State of a step. */
  enum State {
    PENDING,
    RUNNING,
    COMPLETED,
    FAILED,
    SKIPPED,
    /** Only a person can say whether it may be tried again. */
    UNSURE
  }

  private State state = State.PENDING;
  private @Nullable String result;
  private @Nullable JsonNode output;
  private @Nullable ObjectNode input;
  private @Nullable ObjectNode patched;
  private @Nullable String error;
  private int attempts;
  private boolean approved;
  private boolean rejected;

  State state() {
    return state;
  }

  boolean pending() {
    return state == State.PENDING;
  }

  boolean failed() {
    return state == State.FAILED;
  }

  /** Completed or skipped: whoever waits for it may go on. */
  boolean settled() {
    return state == State.COMPLETED || state == State.SKIPPED;
  }

  void skip() {
    state = State.SKIPPED;
  }

  void start() {
    state = State.RUNNING;
  }

  void complete(String text, JsonNode value) {
    state = State.COMPLETED;
    result = text;
    output = value;
  }

  void completeFromJournal(String text) {
    state = State.COMPLETED;
    result = text;
  }

  void fail(String message) {
    state = State.FAILED;
    error = message;
  }

  /** Tried, nobody knows with what effect; the next attempt waits for a decision. */
  void unsure(String message, int nextAttempt) {
    state = State.UNSURE;
    error = message;
    attempts = nextAttempt;
  }

  boolean unsure() {
    return state == State.UNSURE;
  }

  /** The result text; null unless completed. */
  @Nullable String result() {
    return result;
  }

  /** The result as a JSON value; null unless completed. */
  @Nullable JsonNode output() {
    if (output == null && result != null) {
      output = Json.valueOf(result);
    }
    return output;
  }

  /** Why it failed, or its last attempt did; null unless so. */
  @Nullable String error() {
    return error;
  }

  /** The resolved arguments, secrets included; null until they are known. */
  @Nullable ObjectNode input() {
    return input;
  }

  void input(ObjectNode resolved) {
    input = resolved;
  }

  /** What a reviewer put in the place of the resolved arguments. */
  @Nullable ObjectNode patched() {
    return patched;
  }

  boolean approved() {
    return approved;
  }

  boolean rejected() {
    return rejected;
  }

  void approve(@Nullable ObjectNode patchedArgs) {
    approved = true;
    patched = patchedArgs;
  }

  void reject() {
    rejected = true;
  }

  /** How often it was tried, or is being tried; 0 until its start was announced. */
  int attempts() {
    return attempts;
  }

  void attempts(int made) {
    attempts = made;
  }

  /** Forgets decisions about a step that may not be the one they were made for any more. */
  void forgetDecision() {
    approved = false;
    patched = null;
  }
}
