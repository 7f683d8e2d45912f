package io.fengyu.testing.model;

import org.jspecify.annotations.Nullable;

/** One thing that a scripted answer does, in its order. */
sealed interface Part {

  record Text(String delta) implements Part {}

  record Thinking(String delta) implements Part {}

  /** Closes a thinking block (Anthropic only). */
  record Signature(String signature) implements Part {}

  /** A thinking block that only the provider can read (Anthropic only). */
  record RedactedThinking(String data) implements Part {}

  /** Any member may be missing, as with real providers. */
  record ToolFragment(
      @Nullable Integer index,
      @Nullable String id,
      @Nullable String name,
      @Nullable String arguments)
      implements Part {}

  record Usage(long input, long output) implements Part {}

  /** Neutral reasons: stop, tool_calls, length, content_filter. */
  record Finish(String reason) implements Part {}

  /** An error object inside a stream that began with 200. */
  record Failure(String type, String message) implements Part {}

  /** What keeps a silent stream alive: a comment, an Anthropic ping. */
  record KeepAlive() implements Part {}

  /** Sent as it is. */
  record Raw(String text) implements Part {}

  /** Tells that everything before it was handed to the network. */
  record Reached(Signal signal) implements Part {}

  record Await(Signal signal) implements Part {}

  /** Closes the connection in the middle. */
  record Cut() implements Part {}

  /** Sends nothing more until the client goes. */
  record Hang() implements Part {}
}
