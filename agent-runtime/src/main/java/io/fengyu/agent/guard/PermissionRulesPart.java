package io.fengyu.agent.guard;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.setting.Settings;
import io.fengyu.agent.setting.SettingsPart;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/** Shows an owner's permission rules among the settings. */
@ApplicationScoped
class PermissionRulesPart implements SettingsPart {

  @Override
  public void show(Settings settings, ObjectNode document) {
    var stored = StoredRules.read(settings.own().permissionRules());
    var lists = document.putObject("permissionRules");
    list(lists, "allow", stored.rules().allow());
    list(lists, "ask", stored.rules().ask());
    list(lists, "deny", stored.rules().deny());
    list(document, "invalidPermissionRules", stored.invalid());
  }

  private static void list(ObjectNode into, String name, List<String> texts) {
    var list = into.putArray(name);
    texts.forEach(list::add);
  }
}
