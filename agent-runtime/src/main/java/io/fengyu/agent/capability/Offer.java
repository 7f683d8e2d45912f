package io.fengyu.agent.capability;

import io.fengyu.contract.client.Service;
import java.util.Locale;
import java.util.Set;

/** What clients ask about, and the services that each of it needs. */
enum Offer {
  RUN_CANCEL(Service.AGENT),
  JOB_CANCEL(Service.AGENT, Service.SCHEDULER),
  EDIT_LATEST_TURN(Service.CHAT),
  SSE_REPLAY(Service.AGENT),
  LEARNED_KNOWLEDGE(Service.AGENT),
  SANDBOX(Service.AGENT);

  private final Set<Service> needs;

  Offer(Service... needs) {
    this.needs = Set.of(needs);
  }

  /** Every one of these must report it. */
  Set<Service> needs() {
    return needs;
  }

  /** Name on the wire, such as {@code run_cancel_v1}. */
  String wire() {
    return name().toLowerCase(Locale.ROOT) + "_v1";
  }
}
