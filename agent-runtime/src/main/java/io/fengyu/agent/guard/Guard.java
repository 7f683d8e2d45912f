package io.fengyu.agent.guard;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.guard.Verdict.Decision;
import io.fengyu.agent.guard.Verdict.Stage;
import io.fengyu.agent.scope.DataScopes;
import io.fengyu.agent.tool.ToolSpec;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Judges every call of a tool before it happens, by its resolved arguments: what never runs, then
 * hooks, deny rules, ask rules, allow rules, and last the mode. The first that decides wins.
 */
@ApplicationScoped
public class Guard {

  private static final Logger LOG = Logger.getLogger(Guard.class);
  private static final Verdict UNREADABLE =
      Verdict.of(Decision.DENY, Stage.DENY, null, "the permission rules can't be read");

  private final RuleSource rules;
  private final Confinement confinement;
  private final HookGate hooks;
  private final DataScopes scopes;

  /** Judges by rules from there, with hooks, within the data of conversations. */
  @Inject
  public Guard(RuleSource rules, Confinement confinement, HookGate hooks, DataScopes scopes) {
    this.rules = rules;
    this.confinement = confinement;
    this.hooks = hooks;
    this.scopes = scopes;
  }

  /** Judges by rules from there, without hooks. */
  public Guard(RuleSource rules, Confinement confinement) {
    this(rules, confinement, HookGate.NONE, DataScopes.NONE);
  }

  /** The hooks that are asked. */
  public HookGate hooks() {
    return hooks;
  }

  /** The data that conversations may work on. */
  public DataScopes scopes() {
    return scopes;
  }

  /** The verdict on one call. The thread may wait: for rules that have just changed, and hooks. */
  public Verdict judge(Subject subject, ToolSpec tool, ObjectNode args) {
    return judge(subject, tool, args, () -> hooks.before(subject, tool, args));
  }

  /** The verdict on a call that hooks have let through already. */
  public Verdict judgeAgain(Subject subject, ToolSpec tool, ObjectNode args) {
    return judge(subject, tool, args, () -> null);
  }

  /**
   * The verdict on one call, whose hooks are asked in a way of one's own.
   *
   * @param hooks asked in their turn, if it comes; null when they let the call through
   */
  public Verdict judge(
      Subject subject, ToolSpec tool, ObjectNode args, Supplier<@Nullable Verdict> hooks) {
    RuleSet inForce;
    try {
      inForce = rules.of(subject.owner());
    } catch (RuntimeException unreadable) {
      LOG.warnf("The permission rules of %s can't be read: %s", subject.owner(), unreadable);
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
    return new Judgement(subject, call, inForce, confinement.confines(), true).of(() -> null);
  }
}
