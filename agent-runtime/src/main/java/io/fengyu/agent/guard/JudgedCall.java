package io.fengyu.agent.guard;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.guard.shell.Segment;
import io.fengyu.agent.guard.shell.ShellText;
import io.fengyu.agent.tool.ToolSpec;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A call as rules look at it; what costs something is read once, when a rule first asks. */
final class JudgedCall {

  private static final Set<String> COMMAND_TOOLS = Set.of("execute_command", "workspace_run");
  private static final String OPEN_REFERENCE = "{{";

  private final ToolSpec tool;
  private final ObjectNode args;
  private final boolean mayHoldReferences;
  private final @Nullable ShellText shell;
  private @Nullable WebTargets web;

  /**
   * @param mayHoldReferences true when references in the arguments are still to be replaced
   */
  JudgedCall(ToolSpec tool, ObjectNode args, boolean mayHoldReferences) {
    this.tool = tool;
    this.args = args;
    this.mayHoldReferences = mayHoldReferences;
    this.shell = COMMAND_TOOLS.contains(tool.name()) ? read(args) : null;
  }

  private static ShellText read(ObjectNode args) {
    var directory = args.path("workingDirectory");
    return ShellText.read(
        args.path("command").asText(""), directory.isTextual() ? directory.textValue() : null);
  }

  ToolSpec tool() {
    return tool;
  }

  ObjectNode args() {
    return args;
  }

  /** The command; null when the call runs none. */
  @Nullable ShellText shell() {
    return shell;
  }

  /** True when text that a rule would look at isn't final yet. */
  boolean open() {
    return mayHoldReferences && args.toString().contains(OPEN_REFERENCE);
  }

  private WebTargets web() {
    var known = web;
    if (known == null) {
      known = WebTargets.of(tool.name(), args);
      web = known;
    }
    return known;
  }

  private List<Segment> segments() {
    return shell == null ? List.of() : shell.segments();
  }

  /** Index of the first segment that a deny or ask rule matches, or -1; -2 for no match at all. */
  int match(Rule rule) {
    return switch (rule) {
      case Rule.Command(var text, var pattern) -> firstSeen(pattern);
      case Rule.Web(var text, var domain) -> matched(isWeb() && seesDomain(domain));
      case Rule.OfTool(var text, var name) -> matched(name.matches(tool.name()));
      case Rule.OfEffect(var text, var effect) -> matched(tool.effect() == effect);
      case Rule.Mcp(var text, var name) -> matched(isMcp() && name.matches(tool.name()));
    };
  }

  private static int matched(boolean yes) {
    return yes ? -1 : -2;
  }

  private int firstSeen(CommandPattern pattern) {
    if (shell == null) {
      return -2;
    }
    if (pattern instanceof CommandPattern.All) {
      return -1;
    }
    var all = segments();
    for (int i = 0; i < all.size(); i++) {
      if (pattern.sees(all.get(i))) {
        return i;
      }
    }
    return -2;
  }

  /** True when an allow rule covers the call but for its commands. */
  boolean grantsWhole(Rule rule) {
    return switch (rule) {
      case Rule.Command(var text, var pattern) ->
          shell != null && pattern instanceof CommandPattern.All;
      case Rule.Web(var text, var domain) -> isWeb() && certainly(domain);
      case Rule.OfTool(var text, var name) -> name.matches(tool.name());
      case Rule.OfEffect(var text, var effect) -> tool.effect() == effect;
      case Rule.Mcp(var text, var name) -> isMcp() && name.matches(tool.name());
    };
  }

  private boolean isWeb() {
    return WebTargets.concern(tool.name());
  }

  private boolean isMcp() {
    return "mcp".equals(tool.pluginId());
  }

  private boolean seesDomain(@Nullable String domain) {
    return web().below(domain);
  }

  private boolean certainly(@Nullable String domain) {
    var host = web().certain();
    return domain == null || (host != null && WebTargets.within(host, domain));
  }
}
