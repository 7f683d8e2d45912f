package io.fengyu.chat.model;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The four kinds of back end. */
public enum Mode {
  /** Ollama's HTTP API, a process of its own. */
  LOCAL,
  /** OpenAI and everything that speaks its chat completions. */
  OPENAI,
  /** Anthropic's Messages API. */
  ANTHROPIC,
  /** DeepSeek, in OpenAI's protocol with reasoning beside the text. */
  DEEPSEEK;

  /** As it is written in configuration and on the wire. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** True when a provider refuses calls without a key. */
  public boolean needsKey() {
    return this != LOCAL;
  }

  /** Empty for an unknown word. */
  public static Optional<Mode> of(String id) {
    return Arrays.stream(values()).filter(mode -> mode.id().equals(id)).findFirst();
  }
}
