package io.fengyu.agent.guard;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.guard.Verdict.Decision;
import io.fengyu.agent.guard.Verdict.Stage;
import io.fengyu.agent.tool.ToolSpec;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Judges every call of a tool before it happens, by its resolved arguments: what never runs, then
 * hooks, deny rules, ask rules, allow rules, and last the mode. The first that decides wins.
 */
@ApplicationScoped
public class Guard {

  /** Hooks that say nothing. */
  public static final Supplier<@Nullable Verdict> NO_HOOKS = () -> null;

  private static final Logger LOG = Logger.getLogger(Guard.class);
  private static final Verdict UNREADABLE =
      Verdict.of(Decision.DENY, Stage.DENY, null, "the permission rules can't be read");

  private final RuleSource rules;
  private final Confinement confinement;

  /** Judges by rules from there. */
  public Guard(RuleSource rules, Confinement confinement) {
    this.rules = rules;
    this.confinement = confinement;
  }

  /** The verdict on one call that no hook is asked about. */
  public Verdict judge(Subject subject, ToolSpec tool, ObjectNode args) {
    return judge(subject, tool, args, NO_HOOKS);
  }

  /**
   * The verdict on one call. The thread may wait: for rules that have just changed, and for hooks.
   *
   * @param hooks asked in their turn, if it comes; null when they let the call through
   */
  public Verdict judge(
      Subject subject, ToolSpec tool, ObjectNode args, Supplier<@Nullable Verdict> hooks) {
    RuleSet inForce;
    try {
      inForce = rules.of(subject.owner());
    } catch (RuntimeException unreadable) {
      LOG.warnf(unreadable, "The permission rules of %s can't be read", subject.owner());
      return UNREADABLE;
    }
    var call = new JudgedCall(tool, args, false);
    return new Judgement(subject, call, inForce, confinement.confines(), false).of(hooks);
  }

  /**
   * The verdict as far as it can be told before the call is made, with everything that was looked
   * at in its trace.
   *
   * @param open true when references in the arguments are still to be replaced
   */
  public Verdict foresee(Subject subject, ToolSpec tool, ObjectNode args, boolean open) {
    var call = new JudgedCall(tool, args, open);
    var inForce = rules.of(subject.owner());
    return new Judgement(subject, call, inForce, confinement.confines(), true).of(NO_HOOKS);
  }
}
