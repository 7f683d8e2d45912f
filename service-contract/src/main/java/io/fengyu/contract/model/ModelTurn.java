package io.fengyu.contract.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts the events of an answer together again, so that the next request can hold it unchanged.
 * Thinking, words and calls keep the order in which they began.
 */
public final class ModelTurn {

  private final List<ModelBlock> blocks = new ArrayList<>();
  private final Map<Integer, Integer> places = new HashMap<>();
  private final StringBuilder text = new StringBuilder();
  private final StringBuilder thinking = new StringBuilder();
  private ModelEvent.@Nullable Usage usage;
  private @Nullable StopReason stopReason;

  /** Takes the next event. */
  public void take(ModelEvent event) {
    switch (event) {
      case ModelEvent.Text(var fragment) -> {
        endThinking("");
        text.append(fragment);
      }
      case ModelEvent.Thinking(var fragment) -> {
        endText();
        thinking.append(fragment);
      }
      case ModelEvent.ThinkingSignature(var signature) -> {
        endText();
        sealThinking(signature);
      }
      case ModelEvent.RedactedThinking(var data) -> {
        endOpen();
        blocks.add(new ModelBlock.Redacted(data));
      }
      case ModelEvent.ToolCallStart(int index, var id, var name) -> {
        endOpen();
        places.put(index, blocks.size());
        blocks.add(new ModelBlock.Call(id, name, ""));
      }
      case ModelEvent.ToolCallEnd(int index, var id, var name, var arguments) -> {
        var place = places.get(index);
        if (place != null) {
          blocks.set(place, new ModelBlock.Call(id, name, arguments));
        }
      }
      case ModelEvent.Usage counted -> usage = counted;
      case ModelEvent.Done(var reason) -> {
        endOpen();
        stopReason = reason;
      }
      case ModelEvent.Start start -> {}
      case ModelEvent.ToolCallFragment fragment -> {}
      case ModelEvent.Failed failed -> {}
      case ModelEvent.Heartbeat beat -> {}
    }
  }

  // A seal without readable thinking before it belongs to a block whose text is withheld.
  private void sealThinking(String signature) {
    if (thinking.isEmpty()) {
      blocks.add(new ModelBlock.Thinking("", signature));
    } else {
      endThinking(signature);
    }
  }

  private void endOpen() {
    endText();
    endThinking("");
  }

  private void endText() {
    if (!text.isEmpty()) {
      blocks.add(new ModelBlock.Text(text.toString()));
      text.setLength(0);
    }
  }

  private void endThinking(String signature) {
    if (!thinking.isEmpty()) {
      blocks.add(new ModelBlock.Thinking(thinking.toString(), signature));
      thinking.setLength(0);
    }
  }

  /** Everything said, in order; whole once {@link #stopReason} is there. */
  public List<ModelBlock> blocks() {
    return List.copyOf(blocks);
  }

  /** The words of an answer. */
  public static String text(List<ModelBlock> blocks) {
    var all = new StringBuilder();
    for (var block : blocks) {
      if (block instanceof ModelBlock.Text(var words)) {
        all.append(words);
      }
    }
    return all.toString();
  }

  /** The calls of an answer, in order. */
  public static List<ModelBlock.Call> calls(List<ModelBlock> blocks) {
    return blocks.stream()
        .filter(ModelBlock.Call.class::isInstance)
        .map(ModelBlock.Call.class::cast)
        .toList();
  }

  /** What the answer cost; null where the provider did not say. */
  public ModelEvent.@Nullable Usage usage() {
    return usage;
  }

  /** Why it ended; null while it has not. */
  public @Nullable StopReason stopReason() {
    return stopReason;
  }
}
