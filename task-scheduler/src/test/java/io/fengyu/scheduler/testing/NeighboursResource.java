package io.fengyu.scheduler.testing;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;

/** Puts the scripted neighbours beside the service for all tests of the module. */
public class NeighboursResource implements QuarkusTestResourceLifecycleManager {

  @Override
  public Map<String, String> start() {
    return Map.of("AGENT_URL", Neighbours.get().url(), "WORKFLOW_URL", Neighbours.get().url());
  }

  /** They end with the process of the tests. */
  @Override
  public void stop() {}
}
