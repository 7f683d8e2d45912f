package io.fengyu.agent.setting;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** A feature's share of the settings document; every bean of this type is asked. */
public interface SettingsPart {

  /** Adds fields to what an owner reads. */
  default void show(Settings settings, ObjectNode document) {}

  /**
   * Looks at the budget that an owner wants to save.
   *
   * @throws io.fengyu.contract.problem.ProblemException 400 when it can't be one
   */
  default void checkBudget(JsonNode budget) {}
}
