package io.fengyu.agent.tool;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** What a tool may do to the world; undeclared means {@link #EXTERNAL}. */
public enum Effect {
  /** Observes only. */
  READ,
  /** Changes documents or files. */
  WRITE,
  /** Runs a process or stops one. */
  COMMAND,
  /** Acts on the outside, or nobody knows. */
  EXTERNAL;

  /** Lower-case word of the wire. */
  @JsonValue
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}
