package io.fengyu.agent.turn;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** How many calls of one turn run at once. */
@ApplicationScoped
public class ToolConcurrency {

  private static final int DEFAULT = 4;
  private static final int MOST = 32;

  private final int limit;

  ToolConcurrency(
      @ConfigProperty(name = "AGENT_TOOL_MAX_CONCURRENCY") Optional<String> configured) {
    this.limit = clamped(configured.orElse(""));
  }

  /** Between 1 and 32. */
  public int limit() {
    return limit;
  }

  // The one variable that never stops a start: whatever it says, calls can be made.
  static int clamped(String configured) {
    var text = configured.strip();
    if (!text.matches("[+-]?[0-9]+")) {
      return DEFAULT;
    }
    if (text.startsWith("-")) {
      return 1;
    }
    return text.length() > 9 ? MOST : Math.clamp(Integer.parseInt(text), 1, MOST);
  }
}
