package io.fengyu.agent.guard;

import io.fengyu.agent.tool.Tool;
import java.util.Map;
import java.util.Optional;

/** Whether one rule is about everything that another one is about. */
final class Shadow {

  private Shadow() {}

  static boolean covers(Rule wide, Rule narrow, Map<String, Tool> tools) {
    if (wide.text().equals(narrow.text())) {
      return true;
    }
    return switch (wide) {
      case Rule.OfTool(var text, var name) -> name.matchesAll() || all(wide, narrow, tools);
      case Rule.Mcp mcp -> narrow instanceof Rule.Mcp && all(wide, narrow, tools);
      case Rule.OfEffect effect -> all(wide, narrow, tools);
      case Rule.Command(var text, var pattern) ->
          narrow instanceof Rule.Command(var other, var inner) && covers(pattern, inner);
      case Rule.Web(var text, var domain) ->
          narrow instanceof Rule.Web(var other, var below)
              && (domain == null || (below != null && WebTargets.within(below, domain)));
    };
  }

  private static boolean covers(CommandPattern wide, CommandPattern narrow) {
    return switch (wide) {
      case CommandPattern.All all -> true;
      case CommandPattern.Prefix(var words) ->
          begun(narrow)
              .filter(text -> text.equals(words) || text.startsWith(words + " "))
              .isPresent();
      case CommandPattern.Pattern(var whole, var begun) ->
          whole.matchesAll()
              || (narrow instanceof CommandPattern.Prefix(var text) && whole.matches(text));
    };
  }

  /** What every command begins with that a pattern is about. */
  private static Optional<String> begun(CommandPattern pattern) {
    return switch (pattern) {
      case CommandPattern.All all -> Optional.empty();
      case CommandPattern.Prefix(var words) -> Optional.of(words);
      case CommandPattern.Pattern(var whole, var begun) -> {
        var text = whole.toString();
        int wild = text.indexOf('*');
        int one = text.indexOf('?');
        int end = one >= 0 && one < wild ? one : wild;
        yield end <= 0 ? Optional.empty() : Optional.of(text.substring(0, end));
      }
    };
  }

  /** True when there are tools the narrow rule is about, and each of them is denied. */
  private static boolean all(Rule wide, Rule narrow, Map<String, Tool> tools) {
    var about = tools.values().stream().filter(tool -> about(narrow, tool)).toList();
    return !about.isEmpty() && about.stream().allMatch(tool -> about(wide, tool));
  }

  private static boolean about(Rule rule, Tool tool) {
    var spec = tool.spec();
    return switch (rule) {
      case Rule.OfTool(var text, var name) -> name.matches(spec.name());
      case Rule.OfEffect(var text, var effect) -> spec.effect() == effect;
      case Rule.Mcp(var text, var name) ->
          "mcp".equals(spec.pluginId()) && name.matches(spec.name());
      case Rule.Command command -> spec.name().equals("execute_command");
      case Rule.Web web -> WebTargets.concern(spec.name());
    };
  }
}
