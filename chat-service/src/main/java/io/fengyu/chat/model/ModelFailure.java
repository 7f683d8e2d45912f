package io.fengyu.chat.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A model request that ended in a failure. The message is made for people: English, keys masked, no
 * names of classes. Has no stack trace, because nothing in this program is at fault.
 */
public final class ModelFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final ErrorCode errorCode;
  private final boolean transientFailure;
  private final @Nullable Duration retryAfter;
  private final @Nullable String rejectedParameter;

  private ModelFailure(
      ErrorCode errorCode,
      String message,
      boolean transientFailure,
      @Nullable Duration retryAfter,
      @Nullable String rejectedParameter) {
    super(message, null, false, false);
    this.errorCode = errorCode;
    this.transientFailure = transientFailure;
    this.retryAfter = retryAfter;
    this.rejectedParameter = rejectedParameter;
  }

  /** Trying again would not help. */
  static ModelFailure lasting(ErrorCode code, String message) {
    return new ModelFailure(code, message, false, null, null);
  }

  /** Trying again may help. */
  static ModelFailure passing(ErrorCode code, String message, @Nullable Duration retryAfter) {
    return new ModelFailure(code, message, true, retryAfter, null);
  }

  /** The provider knows the request but not one of its parameters. */
  static ModelFailure parameter(String message, String parameter) {
    return new ModelFailure(ErrorCode.PROVIDER_4XX, message, false, null, parameter);
  }

  /** The same failure with another text. */
  ModelFailure saying(String message) {
    return new ModelFailure(errorCode, message, transientFailure, retryAfter, rejectedParameter);
  }

  /** For clients to branch on. */
  public ErrorCode errorCode() {
    return errorCode;
  }

  /** For people. */
  public String text() {
    return String.valueOf(getMessage());
  }

  /** True for transport failures, 429 and 5xx. */
  public boolean isTransient() {
    return transientFailure;
  }

  /** How long the provider asks to wait; null when it does not say. */
  public @Nullable Duration retryAfter() {
    return retryAfter;
  }

  @Nullable String rejectedParameter() {
    return rejectedParameter;
  }
}
