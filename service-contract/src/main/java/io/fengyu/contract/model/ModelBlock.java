package io.fengyu.contract.model;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;

/** A part of what a model said in one turn; their order is part of what it said. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(ModelBlock.Text.class),
  @JsonSubTypes.Type(ModelBlock.Thinking.class),
  @JsonSubTypes.Type(ModelBlock.Redacted.class),
  @JsonSubTypes.Type(ModelBlock.Call.class)
})
public sealed interface ModelBlock {

  /** Words of the reply. */
  @JsonTypeName("text")
  record Text(String text) implements ModelBlock {}

  /**
   * Readable thinking.
   *
   * @param signature the provider's seal; empty where it seals nothing
   */
  @JsonTypeName("thinking")
  record Thinking(String text, String signature) implements ModelBlock {}

  /** Thinking that only the provider can read. */
  @JsonTypeName("redacted_thinking")
  record Redacted(String data) implements ModelBlock {}

  /**
   * A tool call.
   *
   * @param arguments exactly what the model wrote, be it JSON or not
   */
  @JsonTypeName("tool_call")
  record Call(String id, String name, String arguments) implements ModelBlock {}
}
