package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.agent.setting.SettingsPart;
import io.fengyu.agent.setting.SettingsReader;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;

/** The limits that an owner's runs have when they name none. */
@ApplicationScoped
class BudgetSettings implements SettingsPart {

  private final SettingsReader settings;

  BudgetSettings(SettingsReader settings) {
    this.settings = settings;
  }

  @Override
  public void checkBudget(JsonNode budget) {
    Budget.read(budget);
  }

  Uni<Budget> of(String owner) {
    return settings.of(owner).map(found -> stored(found.own().budget()));
  }

  private static Budget stored(@org.jspecify.annotations.Nullable String text) {
    return text == null ? Budget.UNLIMITED : Budget.read(Json.stored(text));
  }
}
