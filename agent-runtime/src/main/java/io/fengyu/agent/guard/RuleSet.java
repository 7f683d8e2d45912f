package io.fengyu.agent.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The rules in force for one owner, read. What admins deny or ask about comes first; only the
 * owner's own rules allow.
 */
public final class RuleSet {

  /** No rules at all. */
  public static final RuleSet NONE = new RuleSet(List.of(), List.of(), List.of());

  private final List<Rule> deny;
  private final List<Rule> ask;
  private final List<Rule> allow;
  private final boolean restrictsCommands;

  private RuleSet(List<Rule> deny, List<Rule> ask, List<Rule> allow) {
    this.deny = List.copyOf(deny);
    this.ask = List.copyOf(ask);
    this.allow = List.copyOf(allow);
    this.restrictsCommands =
        Stream.concat(deny.stream(), ask.stream()).anyMatch(Rule.Command.class::isInstance);
  }

  /**
   * Puts together what holds for an owner; texts that are no rules are left out.
   *
   * @param byAdmins whose deny and ask rules hold for everybody
   */
  static RuleSet of(RuleTexts own, List<RuleTexts> byAdmins) {
    var deny = new ArrayList<Rule>();
    var ask = new ArrayList<Rule>();
    for (var rules : byAdmins) {
      deny.addAll(read(rules.deny()));
      ask.addAll(read(rules.ask()));
    }
    deny.addAll(read(own.deny()));
    ask.addAll(read(own.ask()));
    return new RuleSet(deny, ask, read(own.allow()));
  }

  static RuleSet of(RuleTexts own) {
    return of(own, List.of());
  }

  private static List<Rule> read(List<String> texts) {
    return texts.stream().flatMap(text -> RuleSyntax.read(text).stream()).toList();
  }

  List<Rule> deny() {
    return deny;
  }

  List<Rule> ask() {
    return ask;
  }

  List<Rule> allow() {
    return allow;
  }

  boolean isEmpty() {
    return deny.isEmpty() && ask.isEmpty() && allow.isEmpty();
  }

  /** True when some deny or ask rule is about certain commands. */
  boolean restrictsCommands() {
    return restrictsCommands;
  }
}
