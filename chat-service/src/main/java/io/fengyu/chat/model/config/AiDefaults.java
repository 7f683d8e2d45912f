package io.fengyu.chat.model.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.util.Map;
import java.util.Optional;

/** What holds for an owner who has chosen nothing. */
@ConfigMapping(prefix = "fengyu.ai")
public interface AiDefaults {

  /** {@code local}, {@code openai}, {@code anthropic} or {@code deepseek}. */
  @WithDefault("local")
  @Pattern(
      regexp = "local|openai|anthropic|deepseek",
      message = "AI_MODE must be local, openai, anthropic or deepseek")
  String mode();

  /** 0 for a window without a bound. */
  @WithDefault("32768")
  @Min(value = 0, message = "AI_CONTEXT_WINDOW_TOKENS must be 0 or more")
  @Max(value = 2_000_000, message = "AI_CONTEXT_WINDOW_TOKENS must be at most 2000000")
  int contextWindowTokens();

  /** Rounds of tool calls in one turn. */
  @WithDefault("50")
  @Min(value = 0, message = "AI_MAX_TOOL_ROUNDS must be 0 or more")
  @Max(value = 10_000, message = "AI_MAX_TOOL_ROUNDS must be at most 10000")
  int maxToolRounds();

  /** By mode. */
  Map<String, Provider> providers();

  /** One back end as the environment knows it. */
  interface Provider {

    /** Its address. */
    String baseUrl();

    /** The model that answers. */
    Optional<String> model();

    /** Sent to this address only. */
    Optional<String> apiKey();
  }
}
