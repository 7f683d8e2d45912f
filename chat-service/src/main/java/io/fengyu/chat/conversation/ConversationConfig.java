package io.fengyu.chat.conversation;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** What is kept of turns in their conversations. */
@ConfigMapping(prefix = "fengyu.conversations")
interface ConversationConfig {

  /** Whether a model's chain of thought is stored with its reply. */
  @WithDefault("${CHAT_STORE_THINKING:false}")
  boolean storeThinking();
}
