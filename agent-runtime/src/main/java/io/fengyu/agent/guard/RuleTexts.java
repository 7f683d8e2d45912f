package io.fengyu.agent.guard;

import java.util.ArrayList;
import java.util.List;

/** An owner's permission rules as they are written, in their three lists. */
public record RuleTexts(List<String> allow, List<String> ask, List<String> deny) {

  static final RuleTexts NONE = new RuleTexts(List.of(), List.of(), List.of());

  int size() {
    return allow.size() + ask.size() + deny.size();
  }

  /** All of them, the strictest first. */
  List<String> all() {
    var all = new ArrayList<>(deny);
    all.addAll(ask);
    all.addAll(allow);
    return all;
  }
}
