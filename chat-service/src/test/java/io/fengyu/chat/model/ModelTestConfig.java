package io.fengyu.chat.model;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;

/** Lets tests use a provider on this machine, and has less patience than production. */
public class ModelTestConfig implements QuarkusTestResourceLifecycleManager {

  /** Opens what it sealed, but seals nothing any more. */
  static final String PREVIOUS_KEY = "previous-machine-key-0123456789";

  @Override
  public Map<String, String> start() {
    return Map.ofEntries(
        Map.entry("AI_BASE_URL_ALLOW_HOSTS", "127.0.0.1"),
        Map.entry("AI_OPENAI_API_KEY", "sk-environment-0123456789abcdef"),
        Map.entry("fengyu.model.retry-delay", "20ms"),
        Map.entry("fengyu.model.max-retry-delay", "2s"),
        Map.entry("fengyu.model.first-token-timeout", "1500ms"),
        Map.entry("fengyu.model.idle-timeout", "1s"),
        Map.entry("fengyu.model.total-timeout", "20s"),
        Map.entry("fengyu.model.heartbeat", "300ms"),
        Map.entry("fengyu.model.streams-per-owner", "4"),
        Map.entry("fengyu.model.answer-chars", "100000000"),
        Map.entry("FENGYU_MACHINE_KEY_PREVIOUS", PREVIOUS_KEY));
  }

  @Override
  public void stop() {}
}
