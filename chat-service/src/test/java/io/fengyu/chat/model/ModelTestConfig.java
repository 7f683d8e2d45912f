package io.fengyu.chat.model;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;

/** Lets tests use a provider on this machine, and has less patience than production. */
public class ModelTestConfig implements QuarkusTestResourceLifecycleManager {

  @Override
  public Map<String, String> start() {
    return Map.of(
        "AI_BASE_URL_ALLOW_HOSTS", "127.0.0.1",
        "AI_OPENAI_API_KEY", "sk-environment-0123456789abcdef",
        "fengyu.model.retry-delay", "20ms",
        "fengyu.model.max-retry-delay", "2s",
        "fengyu.model.first-token-timeout", "1500ms",
        "fengyu.model.idle-timeout", "1s",
        "fengyu.model.total-timeout", "20s",
        "fengyu.model.heartbeat", "300ms",
        "fengyu.model.streams-per-owner", "4");
  }

  @Override
  public void stop() {}
}
