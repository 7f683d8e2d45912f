package io.fengyu.workflow.validation;

import io.fengyu.contract.plan.AgentPlan;

/**
 * A definition that may be stored. The documents are JSON, as they were sent.
 *
 * @param checked the plan as read from its document
 */
public record Draft(
    String name,
    String description,
    String inputSchema,
    String plan,
    String layout,
    String graph,
    AgentPlan checked) {

  /** Steps of the plan; one without any can be saved, but neither published nor run. */
  public int stepCount() {
    return checked.steps().size();
  }
}
