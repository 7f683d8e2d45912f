package io.fengyu.agent.capability;

import io.fengyu.contract.client.Service;
import java.util.Locale;
import java.util.Set;

/** What clients ask about, and the services that each of it needs. */
enum Offer {
  RUN_CANCEL,
  JOB_CANCEL,
  EDIT_LATEST_TURN,
  SSE_REPLAY,
  LEARNED_KNOWLEDGE,
  SANDBOX;

  /** Every one of these must report it. */
  Set<Service> needs() {
    return switch (this) {
      case RUN_CANCEL, SSE_REPLAY, LEARNED_KNOWLEDGE, SANDBOX -> Set.of(Service.AGENT);
      case JOB_CANCEL -> Set.of(Service.AGENT, Service.SCHEDULER);
      case EDIT_LATEST_TURN -> Set.of(Service.CHAT);
    };
  }

  /** Name on the wire, such as {@code run_cancel_v1}. */
  String wire() {
    return name().toLowerCase(Locale.ROOT) + "_v1";
  }
}
