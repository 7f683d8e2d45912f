package io.fengyu.chat.turn;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.chat.context.Estimate;
import io.fengyu.chat.model.ModelMessage;
import io.fengyu.chat.model.ModelRequest;
import io.fengyu.contract.model.ModelTurn;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a turn has used, against what it may use. */
final class Usage {

  private final Budget budget;
  private final long startedAt = System.nanoTime();
  private final Map<String, Integer> identical = new HashMap<>();
  private long promptTokens;
  private long completionTokens;
  private long replyTokens;
  private long modelNanos;
  private long pausedNanos;
  private int modelCalls;
  private int toolCalls;
  private boolean estimated;

  Usage(Budget budget) {
    this.budget = budget;
  }

  /** A limit that was reached. */
  record Exceeded(String limit, long used, long allowed) {}

  /**
   * Counts an answer.
   *
   * @param reply true when the client is shown it
   */
  void answered(ModelRequest request, ModelTurn answer, long nanos, boolean reply) {
    var counted = answer.usage();
    modelCalls++;
    long completion;
    if (counted == null) {
      estimated = true;
      promptTokens += request(request);
      completion = Math.max(1, Estimate.message(new ModelMessage.Assistant(answer.blocks())));
    } else {
      promptTokens += counted.inputTokens();
      completion = counted.outputTokens();
    }
    completionTokens += completion;
    if (reply) {
      replyTokens += completion;
      modelNanos += nanos;
    }
  }

  static long request(ModelRequest request) {
    return Estimate.text(request.system())
        + Estimate.messages(request.messages())
        + Estimate.tools(request.tools());
  }

  /** Counts a call; what it may not be any more is told by {@link #exceeded}. */
  void called(String name, String arguments) {
    toolCalls++;
    identical.merge(name + "\n" + arguments, 1, Integer::sum);
  }

  /** Waiting for a person is no work. */
  void paused(long nanos) {
    pausedNanos += nanos;
  }

  /** The limit that was reached first; null while there is room. */
  @Nullable Exceeded exceeded() {
    var most = identical.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    var tokens = over("maxTokens", promptTokens + completionTokens, budget.maxTokens());
    if (tokens != null) {
      return tokens;
    }
    var calls = over("maxToolCalls", toolCalls, budget.maxToolCalls());
    if (calls != null) {
      return calls;
    }
    var time = over("maxWallTimeMs", wallTimeMs(), budget.maxWallTimeMs());
    return time != null ? time : over("maxIdenticalCalls", most, budget.maxIdenticalCalls());
  }

  // What is used up is used up: nothing new may start.
  private static @Nullable Exceeded over(String limit, long used, @Nullable Long allowed) {
    return allowed != null && used >= allowed ? new Exceeded(limit, used, allowed) : null;
  }

  private long wallTimeMs() {
    return (System.nanoTime() - startedAt - pausedNanos) / 1_000_000;
  }

  /** For the last event: what the whole reply came to, and how fast. */
  long tokens() {
    return Math.max(1, replyTokens);
  }

  double tokensPerSecond() {
    var seconds = Math.max(modelNanos, 1_000_000) / 1e9;
    return Math.round(tokens() / seconds * 10) / 10.0;
  }

  ObjectNode toJson() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("promptTokens", promptTokens)
        .put("completionTokens", completionTokens)
        .put("modelCalls", modelCalls)
        .put("toolCalls", toolCalls)
        .put("wallTimeMs", wallTimeMs())
        .put("estimated", estimated);
  }
}
