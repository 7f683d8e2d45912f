package io.fengyu.agent.guard;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** How much is done without asking. */
public enum PermissionMode {
  ASK_FOR_APPROVAL,
  APPROVE_FOR_ME,
  FULL_ACCESS;

  /** Word of the wire, with dashes. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The mode of that word; empty for any other word. */
  public static Optional<PermissionMode> of(String wire) {
    return Stream.of(values()).filter(mode -> mode.wire().equals(wire)).findFirst();
  }
}
