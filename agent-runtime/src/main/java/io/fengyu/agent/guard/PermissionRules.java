package io.fengyu.agent.guard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.guard.RuleLint.Warning;
import io.fengyu.agent.setting.SettingsWriter;
import io.fengyu.agent.tool.ToolCatalog;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes new permission rules. */
@ApplicationScoped
class PermissionRules {

  static final int MOST = 200;

  private final SettingsWriter settings;
  private final ToolCatalog catalog;

  PermissionRules(SettingsWriter settings, ToolCatalog catalog) {
    this.settings = settings;
    this.catalog = catalog;
  }

  /** Rules that were saved, and what is odd about them. */
  record Saved(int rules, List<Warning> warnings) {}

  /**
   * Saves rules in the place of all before; nothing when one of them is none.
   *
   * @param byAdmin true when what is denied and asked about is so for everybody
   */
  Uni<Saved> save(String owner, boolean byAdmin, @Nullable JsonNode body) {
    var rules = read(body);
    return catalog
        .snapshot(owner)
        .map(tools -> RuleLint.of(rules, tools))
        .call(() -> settings.saveRules(owner, StoredRules.write(rules), byAdmin))
        .map(warnings -> new Saved(rules.size(), warnings));
  }

  private static RuleTexts read(@Nullable JsonNode body) {
    if (!(body instanceof ObjectNode lists)) {
      throw GuardProblems.body("", "an object with the lists allow, ask and deny");
    }
    for (var field : lists.properties()) {
      if (!List.of("allow", "ask", "deny").contains(field.getKey())) {
        throw GuardProblems.body(field.getKey(), "absent; the lists are allow, ask and deny");
      }
    }
    var rules = new RuleTexts(list(lists, "allow"), list(lists, "ask"), list(lists, "deny"));
    if (rules.size() > MOST) {
      throw GuardProblems.tooMany(rules.size(), MOST);
    }
    return rules;
  }

  private static List<String> list(ObjectNode lists, String name) {
    var list = lists.path(name);
    if (list.isMissingNode() || list.isNull()) {
      return List.of();
    }
    if (!list.isArray()) {
      throw GuardProblems.body(name, "a list of rules");
    }
    var rules = new ArrayList<String>();
    for (var entry : list) {
      rules.add(rule(name, entry));
    }
    return List.copyOf(rules);
  }

  private static String rule(String list, JsonNode entry) {
    var text = entry.isTextual() ? entry.textValue().strip() : entry.toString();
    if (!entry.isTextual() || RuleSyntax.read(text).isEmpty()) {
      throw GuardProblems.malformed(list, text);
    }
    return text;
  }
}
