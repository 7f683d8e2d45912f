package io.fengyu.chat.model;

import io.fengyu.contract.model.ModelEvent;
import io.fengyu.contract.model.StopReason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The answer as far as it has come: passes events on, in order, within bounds, ended once. */
final class Answering {

  private static final int MOST_CALLS = 256;

  private final Consumer<ModelEvent> events;
  private final int longest;
  private final Map<Integer, ToolCallAssembly> open = new LinkedHashMap<>();
  private final List<String> ids = new ArrayList<>();
  private long characters;
  private long inputTokens = -1;
  private long outputTokens = -1;
  private boolean done;

  Answering(Consumer<ModelEvent> events, int longest) {
    this.events = events;
    this.longest = longest;
  }

  boolean isDone() {
    return done;
  }

  /** True when a tool call was begun. */
  boolean hasCalls() {
    return !ids.isEmpty();
  }

  void text(@Nullable String fragment) {
    if (fragment != null && !fragment.isEmpty()) {
      count(fragment);
      events.accept(new ModelEvent.Text(fragment));
    }
  }

  void thinking(@Nullable String fragment) {
    if (fragment != null && !fragment.isEmpty()) {
      count(fragment);
      events.accept(new ModelEvent.Thinking(fragment));
    }
  }

  void signature(String signature) {
    count(signature);
    events.accept(new ModelEvent.ThinkingSignature(signature));
  }

  void redactedThinking(String data) {
    count(data);
    events.accept(new ModelEvent.RedactedThinking(data));
  }

  /** Begins a call; its index is the answer's own. */
  int startCall(@Nullable String id, String name) {
    if (ids.size() >= MOST_CALLS) {
      throw ModelFailure.lasting(ErrorCode.UNKNOWN, "The model asked for too many tool calls");
    }
    var index = ids.size();
    var unique = unique(id, index);
    ids.add(unique);
    open.put(index, new ToolCallAssembly(unique, name));
    events.accept(new ModelEvent.ToolCallStart(index, unique, name));
    return index;
  }

  void callArguments(int index, String fragment) {
    var call = open.get(index);
    if (call != null && !fragment.isEmpty()) {
      count(fragment);
      call.arguments().append(fragment);
      events.accept(new ModelEvent.ToolCallFragment(index, fragment));
    }
  }

  void endCall(int index) {
    var call = open.remove(index);
    if (call != null) {
      events.accept(new ModelEvent.ToolCallEnd(index, call.id(), call.name(), call.whole()));
    }
  }

  void inputTokens(long tokens) {
    inputTokens = Math.max(inputTokens, tokens);
  }

  void outputTokens(long tokens) {
    outputTokens = Math.max(outputTokens, tokens);
  }

  void done(StopReason reason) {
    if (done) {
      return;
    }
    done = true;
    List.copyOf(open.keySet()).forEach(this::endCall);
    if (inputTokens >= 0 || outputTokens >= 0) {
      events.accept(new ModelEvent.Usage(Math.max(0, inputTokens), Math.max(0, outputTokens)));
    }
    events.accept(
        new ModelEvent.Done(
            reason == StopReason.END && hasCalls() ? StopReason.TOOL_CALLS : reason));
  }

  private String unique(@Nullable String id, int index) {
    if (id == null || id.isBlank()) {
      return unique("call_" + index, index);
    }
    return ids.contains(id) ? id + "_" + index : id;
  }

  private void count(String fragment) {
    characters += fragment.length();
    if (characters > longest) {
      throw ModelFailure.lasting(ErrorCode.UNKNOWN, "The model's answer is too long");
    }
  }
}
