package io.fengyu.agent.job;

/** A job cannot be followed any further. */
final class JobException extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * Why.
   *
   * @param code such as {@code JOB_PROTOCOL_ERROR}
   */
  JobException(String code, String message) {
    super(code + ": " + message, null, false, false);
  }

  static JobException protocol(String message) {
    return new JobException("JOB_PROTOCOL_ERROR", message);
  }
}
