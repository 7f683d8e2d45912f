package io.fengyu.agent.guard;

/**
 * What the guard says about one call, and why.
 *
 * @param stage the stage that decided
 * @param reason in words, for people; holds no argument values
 */
public record Verdict(Decision decision, Stage stage, String reason) {

  /** What may happen. */
  public enum Decision {
    ALLOW,
    /** Only after a person agreed. */
    ASK,
    DENY
  }

  /** The stages of the judgement, in the order they are asked. */
  public enum Stage {
    /** Nothing stricter spoke: the mode decides by the effect of the tool. */
    MODE;

    /** Word of the wire. */
    public String wire() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /** True when a person must agree first. */
  public boolean asks() {
    return decision == Decision.ASK;
  }

  /** True when the call must not happen. */
  public boolean denies() {
    return decision == Decision.DENY;
  }
}
