package io.fengyu.agent.guard;

import io.fengyu.agent.tool.Effect;
import org.jspecify.annotations.Nullable;

/** A permission rule, read: which calls it is about. What it says about them is up to its list. */
sealed interface Rule {

  /** As it was written. */
  String text();

  /** Commands. */
  record Command(String text, CommandPattern pattern) implements Rule {}

  /** Tools by name, whatever their origin. */
  record OfTool(String text, Glob name) implements Rule {}

  /** Tools by declared effect. */
  record OfEffect(String text, Effect effect) implements Rule {}

  /** Tools of MCP servers by name. */
  record Mcp(String text, Glob name) implements Rule {}

  /**
   * Calls that fetch from the web.
   *
   * @param domain with its subdomains; null for every one
   */
  record Web(String text, @Nullable String domain) implements Rule {}

  /** True when the rule looks at text that a reference may still change. */
  default boolean looksIntoText() {
    return switch (this) {
      case Command(var text, CommandPattern.All all) -> false;
      case Command command -> true;
      case Web web -> web.domain() != null;
      default -> false;
    };
  }
}
