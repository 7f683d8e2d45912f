package io.fengyu.launcher;

/** Why the system cannot be started or a command cannot be carried out: one line for a person. */
final class LaunchException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  LaunchException(String line) {
    super(line);
  }

  LaunchException(String line, Throwable cause) {
    super(line, cause);
  }
}
