package io.fengyu.agent.guard;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the guard says about one call, and why.
 *
 * @param stage the stage that decided
 * @param rule the rule or hook that decided, as it was written; null when none did
 * @param reason in words, for people; holds no argument values
 * @param segments the commands that were judged, in order; empty when it is about no command
 * @param trace what was looked at on the way to the decision
 */
public record Verdict(
    Decision decision,
    Stage stage,
    @Nullable String rule,
    String reason,
    List<Piece> segments,
    List<Trace> trace) {

  /** What may happen. */
  public enum Decision {
    ALLOW,
    /** Only after a person agreed. */
    ASK,
    DENY;

    /** Word of the wire. */
    @JsonValue
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The stages of the judgement. */
  public enum Stage {
    /** The work may only read. */
    FENCE,
    /** The call is about data that its conversation was not given. */
    SCOPE,
    /** Commands that never run, and those that are always asked about. */
    FLOOR,
    /** A hook spoke. */
    HOOK,
    /** A deny rule matches. */
    DENY,
    /** An ask rule matches. */
    ASK,
    /** Allow rules cover the call. */
    ALLOW,
    /** Nothing stricter spoke: the mode decides by the effect of the tool. */
    MODE;

    /** Word of the wire. */
    @JsonValue
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * One command of a chain.
   *
   * @param text as written
   * @param normalised without wrappers, quotes and paths
   */
  public record Piece(String text, String normalised) {}

  /**
   * Something that was looked at.
   *
   * @param rule what was compared; null where no rule is involved
   * @param segment index of the command that matched; null when it is about the call as a whole
   */
  public record Trace(
      Stage stage, @Nullable String rule, boolean matched, @Nullable Integer segment) {}

  /** A verdict that a rule or hook is behind. */
  public static Verdict of(Decision decision, Stage stage, @Nullable String rule, String reason) {
    return new Verdict(
        decision, stage, rule, reason, List.of(), List.of(new Trace(stage, rule, true, null)));
  }

  /** True when a person must agree first. */
  public boolean asks() {
    return decision == Decision.ASK;
  }

  /** True when the call must not happen. */
  public boolean denies() {
    return decision == Decision.DENY;
  }

  /** Why the call is not made, in a word that programs know. */
  public String code() {
    return stage == Stage.SCOPE ? "DATASET_SCOPE_REQUIRED" : "TOOL_DENIED";
  }

  /** What whoever made a denied call gets instead of a result. */
  public String told() {
    return stage == Stage.SCOPE
        ? JsonNodeFactory.instance
            .objectNode()
            .put("success", false)
            .put("code", code())
            .put("error", reason)
            .toString()
        : "Denied: " + reason;
  }
}
