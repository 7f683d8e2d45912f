package io.fengyu.agent.hook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.setting.Settings;
import io.fengyu.agent.setting.SettingsPart;
import jakarta.enterprise.context.ApplicationScoped;

/** Shows an owner's hooks among the settings. */
@ApplicationScoped
class HooksPart implements SettingsPart {

  @Override
  public void show(Settings settings, ObjectNode document) {
    var own = settings.own();
    document.set("hooks", HookDefinitions.write(HookDefinitions.stored(own.owner(), own.hooks())));
  }
}
