package io.fengyu.workflow.story;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;

/** Puts one scripted runtime beside the service for all tests of the module. */
public class FakeRuntimeResource implements QuarkusTestResourceLifecycleManager {

  private final FakeRuntime runtime = new FakeRuntime();

  @Override
  public Map<String, String> start() {
    return Map.of("AGENT_URL", runtime.url());
  }

  @Override
  public void stop() {
    runtime.stop();
  }

  @Override
  public void inject(TestInjector injector) {
    injector.injectIntoFields(runtime, new TestInjector.MatchesType(FakeRuntime.class));
  }
}
