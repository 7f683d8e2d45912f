package io.fengyu.contract.model;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import org.jspecify.annotations.Nullable;

/**
 * One event of a model's answer, the same whatever provider it comes from. An answer is any number
 * of events and then exactly one {@link Done} or {@link Failed}.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(ModelEvent.Start.class),
  @JsonSubTypes.Type(ModelEvent.Thinking.class),
  @JsonSubTypes.Type(ModelEvent.ThinkingSignature.class),
  @JsonSubTypes.Type(ModelEvent.RedactedThinking.class),
  @JsonSubTypes.Type(ModelEvent.Text.class),
  @JsonSubTypes.Type(ModelEvent.ToolCallStart.class),
  @JsonSubTypes.Type(ModelEvent.ToolCallFragment.class),
  @JsonSubTypes.Type(ModelEvent.ToolCallEnd.class),
  @JsonSubTypes.Type(ModelEvent.Usage.class),
  @JsonSubTypes.Type(ModelEvent.Done.class),
  @JsonSubTypes.Type(ModelEvent.Failed.class),
  @JsonSubTypes.Type(ModelEvent.Heartbeat.class)
})
public sealed interface ModelEvent {

  /**
   * The back end was found complete and is being asked; first on the wire between services.
   *
   * @param pin asks this very back end again, whatever the configuration says by then; null when
   *     the answering program is too old to give one
   */
  @JsonTypeName("start")
  record Start(String mode, String model, @Nullable String pin) implements ModelEvent {}

  /** A fragment of the chain of thought. */
  @JsonTypeName("thinking")
  record Thinking(String text) implements ModelEvent {}

  /** The provider's seal on the thinking before it; goes back to it unchanged with tool results. */
  @JsonTypeName("thinking_signature")
  record ThinkingSignature(String signature) implements ModelEvent {}

  /** Thinking that only the provider can read; goes back to it unchanged with tool results. */
  @JsonTypeName("redacted_thinking")
  record RedactedThinking(String data) implements ModelEvent {}

  /** A fragment of the reply. */
  @JsonTypeName("text")
  record Text(String text) implements ModelEvent {}

  /**
   * A tool call begins.
   *
   * @param index position among the calls of this answer, from 0 without gaps
   * @param id unique within the answer, also when the provider gave none or gave one twice
   */
  @JsonTypeName("tool_call_start")
  record ToolCallStart(int index, String id, String name) implements ModelEvent {}

  /** More characters of a call's arguments; calls may interleave. */
  @JsonTypeName("tool_call_fragment")
  record ToolCallFragment(int index, String arguments) implements ModelEvent {}

  /**
   * A call is whole.
   *
   * @param arguments all fragments joined; <code>{}</code> when there were none, otherwise exactly
   *     what the model wrote, be it JSON or not
   */
  @JsonTypeName("tool_call_end")
  record ToolCallEnd(int index, String id, String name, String arguments) implements ModelEvent {}

  /** Token counts of the whole answer; at most once, before {@link Done}. */
  @JsonTypeName("usage")
  record Usage(long inputTokens, long outputTokens) implements ModelEvent {}

  /** The answer is complete. */
  @JsonTypeName("done")
  record Done(StopReason stopReason) implements ModelEvent {}

  /**
   * The answer ended early.
   *
   * @param code stable word: {@code PROVIDER_ERROR}, {@code MODEL_UNAVAILABLE}, {@code
   *     MODEL_NOT_CONFIGURED}
   * @param errorCode what kind of failure, in the words of chat streams
   * @param message in English, with keys masked
   * @param retryAfterMs how long the provider asks to wait; null when it doesn't say
   */
  @JsonTypeName("error")
  record Failed(String code, String errorCode, String message, @Nullable Long retryAfterMs)
      implements ModelEvent {}

  /** Nothing new; keeps a silent stream between services open. */
  @JsonTypeName("heartbeat")
  record Heartbeat() implements ModelEvent {}
}
