package io.fengyu.agent.guard;

import io.fengyu.agent.guard.shell.ShellText;
import io.fengyu.agent.tool.Tool;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds rules that are well formed and still don't do what somebody may have meant. */
final class RuleLint {

  private final Map<String, Tool> tools;
  private final List<Warning> warnings = new ArrayList<>();

  private RuleLint(Map<String, Tool> tools) {
    this.tools = tools;
  }

  /**
   * Something odd about a rule.
   *
   * @param code stable UPPER_SNAKE word
   * @param params what a client needs to say it in its own language
   */
  record Warning(String rule, String code, Map<String, String> params) {}

  /** Looks at rules, given the tools there are. */
  static List<Warning> of(RuleTexts texts, Map<String, Tool> tools) {
    var lint = new RuleLint(tools);
    var deny = read(texts.deny());
    var ask = read(texts.ask());
    var allow = read(texts.allow());
    deny.forEach(rule -> lint.alone("deny", rule));
    ask.forEach(rule -> lint.alone("ask", rule));
    allow.forEach(rule -> lint.alone("allow", rule));
    ask.forEach(rule -> lint.shadowed(rule, deny));
    allow.forEach(rule -> lint.shadowed(rule, deny));
    return List.copyOf(lint.warnings);
  }

  private static List<Rule> read(List<String> texts) {
    return texts.stream().flatMap(text -> RuleSyntax.read(text).stream()).toList();
  }

  private void alone(String list, Rule rule) {
    switch (rule) {
      case Rule.Command(var text, var pattern) -> command(list, rule, pattern);
      case Rule.OfTool(var text, var name) -> known(rule, name, false);
      case Rule.Mcp(var text, var name) -> known(rule, name, true);
      default -> {}
    }
  }

  private void known(Rule rule, Glob name, boolean mcp) {
    boolean found =
        tools.values().stream()
            .map(Tool::spec)
            .anyMatch(spec -> name.matches(spec.name()) && (!mcp || "mcp".equals(spec.pluginId())));
    if (!found && !name.matchesAll()) {
      warn(rule, "UNKNOWN_TOOL", Map.of("tool", name.toString()));
    }
  }

  private void command(String list, Rule rule, CommandPattern pattern) {
    if (!(pattern instanceof CommandPattern.Prefix(var words))) {
      return;
    }
    var text = ShellText.read(words, null);
    if (text.segments().size() != 1) {
      warn(rule, "NEVER_MATCHES", Map.of("cause", "chain"));
    } else if (list.equals("allow") && text.segments().getFirst().floor() != null) {
      warn(
          rule,
          "NEVER_MATCHES",
          Map.of("cause", "floor", "command", String.valueOf(text.segments().getFirst().floor())));
    } else if (list.equals("allow") && text.doubt() != null) {
      warn(rule, "NEVER_MATCHES", Map.of("cause", "unsafe"));
    }
  }

  private void shadowed(Rule rule, List<Rule> denies) {
    denies.stream()
        .filter(deny -> Shadow.covers(deny, rule, tools))
        .findFirst()
        .ifPresent(deny -> warn(rule, "SHADOWED_BY_DENY", Map.of("deny", deny.text())));
  }

  private void warn(Rule rule, String code, Map<String, String> params) {
    warnings.add(new Warning(rule.text(), code, new LinkedHashMap<>(params)));
  }
}
