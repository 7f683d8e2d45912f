package io.fengyu.agent.guard;

import io.fengyu.agent.tool.Effect;
import java.net.IDN;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads rules from their texts. */
final class RuleSyntax {

  /** Longer ones are refused. */
  static final int LONGEST = 500;

  private static final Pattern FORM = Pattern.compile("([A-Za-z]+)\\((.*)\\)", Pattern.DOTALL);
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]*");
  private static final Pattern NAME_GLOB = Pattern.compile("[A-Za-z0-9_.*?-]+");
  private static final Pattern HOST =
      Pattern.compile("[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*");
  private static final String DOMAIN = "domain:";
  private static final String MCP = "mcp__";

  private RuleSyntax() {}

  /** The rule of that text; empty when it is none. */
  static Optional<Rule> read(String written) {
    var text = written.strip();
    if (text.isEmpty() || text.length() > LONGEST || text.chars().anyMatch(c -> c < ' ')) {
      return Optional.empty();
    }
    var form = FORM.matcher(text);
    return form.matches() ? ofForm(text, form.group(1), form.group(2).strip()) : bare(text);
  }

  private static Optional<Rule> bare(String text) {
    return switch (text) {
      case "Command", "Bash" -> Optional.of(new Rule.Command(text, new CommandPattern.All()));
      case "Tool" -> Optional.of(new Rule.OfTool(text, new Glob("*")));
      case "Mcp" -> Optional.of(new Rule.Mcp(text, new Glob("*")));
      case "WebFetch" -> Optional.of(new Rule.Web(text, null));
      case "Effect" -> Optional.empty();
      default -> NAME.matcher(text).matches() ? Optional.of(named(text)) : Optional.empty();
    };
  }

  private static Rule named(String text) {
    if (text.length() > MCP.length() && text.startsWith(MCP)) {
      var name = text.substring(MCP.length());
      return new Rule.Mcp(text, new Glob(name.contains("__") ? name : name + "__*"));
    }
    return new Rule.OfTool(text, new Glob(text));
  }

  private static Optional<Rule> ofForm(String text, String family, String content) {
    if (content.isEmpty()) {
      return Optional.empty();
    }
    return switch (family) {
      case "Command", "Bash" -> command(text, content);
      case "Tool" -> glob(content).map(name -> new Rule.OfTool(text, name));
      case "Mcp" -> glob(content).map(name -> new Rule.Mcp(text, name));
      case "Effect" -> effect(content).map(effect -> new Rule.OfEffect(text, effect));
      case "WebFetch" -> domain(content).map(domain -> new Rule.Web(text, domain));
      default -> Optional.empty();
    };
  }

  private static Optional<Rule> command(String text, String content) {
    return content.equals(":*")
        ? Optional.empty()
        : Optional.of(new Rule.Command(text, CommandPattern.of(content)));
  }

  private static Optional<Glob> glob(String content) {
    return NAME_GLOB.matcher(content).matches() ? Optional.of(new Glob(content)) : Optional.empty();
  }

  private static Optional<Effect> effect(String content) {
    return Stream.of(Effect.values())
        .filter(effect -> effect.wire().equals(content.toLowerCase(Locale.ROOT)))
        .findFirst();
  }

  private static Optional<String> domain(String content) {
    if (!content.startsWith(DOMAIN)) {
      return Optional.empty();
    }
    var name = content.substring(DOMAIN.length()).strip().toLowerCase(Locale.ROOT);
    try {
      var ascii = IDN.toASCII(name.startsWith("*.") ? name.substring(2) : name);
      return HOST.matcher(ascii).matches() ? Optional.of(ascii) : Optional.empty();
    } catch (IllegalArgumentException noName) {
      return Optional.empty();
    }
  }
}
