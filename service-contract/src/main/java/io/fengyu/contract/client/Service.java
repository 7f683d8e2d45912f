package io.fengyu.contract.client;

import java.util.Arrays;
import java.util.Optional;

/** The services, by the names that configuration and messages use. */
public enum Service {
  CHAT("chat-service", "chat"),
  AGENT("agent-runtime", "agent"),
  WORKFLOW("workflow-service", "workflow"),
  SCHEDULER("task-scheduler", "scheduler"),
  WEBHOOK("webhook-gateway", "webhook");

  private final String fullName;
  private final String shortName;

  Service(String fullName, String shortName) {
    this.fullName = fullName;
    this.shortName = shortName;
  }

  /** Name of the program, such as {@code agent-runtime}. */
  public String fullName() {
    return fullName;
  }

  /** Name of its schema, such as {@code agent}. */
  public String shortName() {
    return shortName;
  }

  /** Finds a service by either name. */
  public static Optional<Service> named(String name) {
    return Arrays.stream(values())
        .filter(service -> service.fullName.equals(name) || service.shortName.equals(name))
        .findFirst();
  }
}
