package io.fengyu.agent.guard;

import io.fengyu.agent.guard.Subject.Standing;
import io.fengyu.agent.guard.Verdict.Decision;
import io.fengyu.agent.guard.Verdict.Piece;
import io.fengyu.agent.guard.Verdict.Stage;
import io.fengyu.agent.guard.Verdict.Trace;
import io.fengyu.agent.guard.shell.Segment;
import io.fengyu.agent.guard.shell.ShellText;
import io.fengyu.agent.tool.CompanyGraph;
import io.fengyu.agent.tool.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One call on its way through the stages. */
final class Judgement {

  private static final String OUT_OF_SCOPE =
      "the call names a dataset that this conversation was not given; use the id of one that it"
          + " was given";

  private final Subject subject;
  private final JudgedCall call;
  private final RuleSet rules;
  private final boolean confined;
  private final boolean complete;
  private final List<Trace> trace = new ArrayList<>(2);

  /**
   * @param complete true when the trace shows what did not match, too
   */
  Judgement(Subject subject, JudgedCall call, RuleSet rules, boolean confined, boolean complete) {
    this.subject = subject;
    this.call = call;
    this.rules = rules;
    this.confined = confined;
    this.complete = complete;
  }

  Verdict of(Supplier<@Nullable Verdict> hooks) {
    var before = never();
    if (before != null) {
      return before;
    }
    var hooked = hooks.get();
    if (hooked != null && hooked.denies()) {
      return hooked;
    }
    var ruled = rules.isEmpty() ? null : restricted();
    if (ruled != null) {
      return ruled;
    }
    var floor = floor();
    if (floor != null) {
      return floor;
    }
    var granted = rules.allow().isEmpty() ? null : granted();
    return granted != null ? granted : mode();
  }

  /** What no hook, rule or mode can change. */
  private @Nullable Verdict never() {
    if (subject.readOnly() && call.tool().effect() != Effect.READ) {
      return decided(Decision.DENY, Stage.FENCE, null, null, "the work may only read");
    }
    if (!subject.scope().allows(call.tool(), call.args())) {
      return decided(Decision.DENY, Stage.SCOPE, null, null, OUT_OF_SCOPE);
    }
    var shell = call.shell();
    if (shell == null) {
      return null;
    }
    var unreadable = shell.unreadable();
    if (unreadable != null) {
      return decided(Decision.DENY, Stage.FLOOR, null, null, "hard floor: " + unreadable.words());
    }
    var segments = shell.segments();
    for (int i = 0; i < segments.size(); i++) {
      var reason = segments.get(i).hardFloor();
      if (reason != null) {
        return decided(Decision.DENY, Stage.FLOOR, null, i, "hard floor: " + reason);
      }
    }
    return null;
  }

  private @Nullable Verdict restricted() {
    for (var rule : rules.deny()) {
      int match = looked(Stage.DENY, rule);
      if (match > -2) {
        return byRule(Decision.DENY, Stage.DENY, "deny rule ", rule, match);
      }
    }
    for (var rule : rules.ask()) {
      int match = looked(Stage.ASK, rule);
      if (match > -2) {
        return needsPerson(Stage.ASK, rule.text(), match, "ask rule " + rule.text());
      }
    }
    return undecided();
  }

  // A rule about commands must not be talked around by computing the command's name.
  private @Nullable Verdict undecided() {
    var shell = call.shell();
    var doubt = shell == null ? null : shell.undecidable();
    if (doubt == null || !rules.restrictsCommands()) {
      return null;
    }
    return needsPerson(
        Stage.ASK, null, -1, "rules about commands can't be checked: " + doubt.words());
  }

  private @Nullable Verdict floor() {
    var shell = call.shell();
    if (shell == null || subject.mode() == PermissionMode.FULL_ACCESS) {
      return null;
    }
    var segments = shell.segments();
    for (int i = 0; i < segments.size(); i++) {
      var floor = segments.get(i).floor();
      if (floor != null) {
        return needsPerson(Stage.FLOOR, null, i, "dangerous command " + floor);
      }
    }
    var doubt = shell.doubt();
    return doubt == null
        ? null
        : needsPerson(Stage.FLOOR, null, -1, "it can't be told what runs: " + doubt.words());
  }

  private @Nullable Verdict granted() {
    Rule last = null;
    for (var rule : rules.allow()) {
      if (grants(rule)) {
        trace.add(new Trace(Stage.ALLOW, rule.text(), true, null));
        return decided(Decision.ALLOW, Stage.ALLOW, rule.text(), null, "allow rule " + rule.text());
      }
    }
    var shell = call.shell();
    if (shell == null || call.open()) {
      return null;
    }
    boolean all = !shell.segments().isEmpty() && subject.mode() != PermissionMode.FULL_ACCESS;
    var segments = shell.segments();
    for (int i = 0; i < segments.size(); i++) {
      var rule = covering(segments.get(i), i);
      all &= rule != null || passedOver(segments.get(i));
      last = rule == null ? last : rule;
    }
    return all && last != null
        ? decided(Decision.ALLOW, Stage.ALLOW, last.text(), null, "allow rule " + last.text())
        : null;
  }

  private static boolean passedOver(Segment segment) {
    return segment.carries() || segment.guessed();
  }

  private boolean grants(Rule rule) {
    boolean grants = call.grantsWhole(rule) && !(rule.looksIntoText() && call.open());
    if (!grants && complete && !(rule instanceof Rule.Command)) {
      trace.add(new Trace(Stage.ALLOW, rule.text(), false, null));
    }
    return grants;
  }

  private @Nullable Rule covering(Segment segment, int index) {
    for (var rule : rules.allow()) {
      if (rule instanceof Rule.Command(var text, var pattern)) {
        boolean covers = pattern.covers(segment);
        if (covers || complete) {
          trace.add(new Trace(Stage.ALLOW, text, covers, index));
        }
        if (covers) {
          return rule;
        }
      }
    }
    return null;
  }

  private int looked(Stage stage, Rule rule) {
    int match = call.match(rule);
    if (match == -2 && complete) {
      trace.add(new Trace(stage, rule.text(), false, null));
    }
    return match;
  }

  private Verdict mode() {
    var risk = risk();
    var mode = subject.mode().wire();
    if (risk != null) {
      return asks("mode " + mode + ", " + risk);
    }
    var effect = call.tool().effect();
    if (CompanyGraph.confirmed(call.tool()) && subject.mode() != PermissionMode.FULL_ACCESS) {
      return asks("mode " + mode + ", a tool that is always confirmed");
    }
    if (asks(effect) && !CompanyGraph.unasked(call.tool())) {
      return asks("mode " + mode + ", effect " + effect.wire());
    }
    return ModeVerdicts.allow(subject.mode(), effect, trace, pieces());
  }

  private Verdict asks(String reason) {
    boolean granted = subject.standing() == Standing.INHERITED;
    return decided(
        granted ? Decision.ALLOW : Decision.ASK,
        Stage.MODE,
        null,
        null,
        granted ? reason + ", granted with the call around it" : reason);
  }

  private boolean asks(Effect effect) {
    return switch (subject.mode()) {
      case ASK_FOR_APPROVAL -> effect != Effect.READ;
      case APPROVE_FOR_ME ->
          effect == Effect.EXTERNAL || (effect == Effect.COMMAND && call.shell() == null);
      case FULL_ACCESS -> false;
    };
  }

  private @Nullable String risk() {
    var shell = call.shell();
    return shell == null || subject.mode() != PermissionMode.APPROVE_FOR_ME
        ? null
        : Risk.of(shell, call.args(), subject.workspace(), confined);
  }

  private Verdict byRule(Decision decision, Stage stage, String word, Rule rule, int match) {
    return decided(decision, stage, rule.text(), match < 0 ? null : match, word + rule.text());
  }

  /** Asks, or fails where nobody can be asked. */
  private Verdict needsPerson(Stage stage, @Nullable String rule, int match, String reason) {
    boolean nobody = subject.standing() == Standing.INHERITED;
    return decided(
        nobody ? Decision.DENY : Decision.ASK,
        stage,
        rule,
        match < 0 ? null : match,
        nobody ? "needs approval: " + reason : reason);
  }

  private Verdict decided(
      Decision decision,
      Stage stage,
      @Nullable String rule,
      @Nullable Integer segment,
      String reason) {
    if (stage != Stage.ALLOW) {
      trace.add(new Trace(stage, rule, true, segment));
    }
    return new Verdict(decision, stage, rule, reason, pieces(), List.copyOf(trace));
  }

  private List<Piece> pieces() {
    ShellText shell = call.shell();
    return shell == null
        ? List.of()
        : shell.segments().stream()
            .filter(segment -> !segment.guessed())
            .map(segment -> new Piece(segment.text(), segment.normalised()))
            .toList();
  }
}
