package io.fengyu.console.proxy;

import java.util.Locale;

/** The service that owns a public path. */
enum Owner {
  CHAT("chat-service"),
  AGENT("agent-runtime"),
  WORKFLOW("workflow-service"),
  SCHEDULER("task-scheduler"),
  WEBHOOK("webhook-gateway");

  private final String service;

  Owner(String service) {
    this.service = service;
  }

  /** Its module name, as problems name it. */
  String service() {
    return service;
  }

  /** The name that configuration and the peers document use. */
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
