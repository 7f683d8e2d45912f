package io.fengyu.agent.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.contract.model.ModelEvent;
import org.jspecify.annotations.Nullable;

/** Counts an answer while it comes, for the case that its end never does, or tells no numbers. */
final class Heard {

  private static final int CHARACTERS_OF_A_TOKEN = 4;

  private ModelEvent.@Nullable Usage usage;
  private long characters;

  void take(ModelEvent event) {
    switch (event) {
      case ModelEvent.Usage told -> usage = told;
      case ModelEvent.Text(var text) -> characters += text.length();
      case ModelEvent.Thinking(var text) -> characters += text.length();
      case ModelEvent.ToolCallEnd end -> characters += end.arguments().length();
      default -> {}
    }
  }

  ModelSpent spent(JsonNode asked) {
    var told = usage;
    return told != null
        ? new ModelSpent(told.inputTokens(), told.outputTokens(), false)
        : new ModelSpent(tokens(asked.toString().length()), tokens(characters), true);
  }

  private static long tokens(long characters) {
    return (characters + CHARACTERS_OF_A_TOKEN - 1) / CHARACTERS_OF_A_TOKEN;
  }
}
