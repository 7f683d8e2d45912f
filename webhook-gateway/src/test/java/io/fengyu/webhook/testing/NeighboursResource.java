package io.fengyu.webhook.testing;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;

/** Puts the scripted neighbours beside the service for all tests of the module. */
public class NeighboursResource implements QuarkusTestResourceLifecycleManager {

  @Override
  public Map<String, String> start() {
    var url = Neighbours.get().url();
    return Map.of(
        "AGENT_URL",
        url,
        "WORKFLOW_URL",
        url,
        "SCHEDULER_URL",
        url,
        "WEBHOOK_RATE_PER_MINUTE",
        "0");
  }

  /** They end with the process of the tests. */
  @Override
  public void stop() {}
}
