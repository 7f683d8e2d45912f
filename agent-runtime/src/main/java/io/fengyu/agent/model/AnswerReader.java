package io.fengyu.agent.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fengyu.contract.client.LineStream;
import io.fengyu.contract.model.ModelEvent;
import io.fengyu.contract.model.ModelTurn;
import io.fengyu.contract.model.StopReason;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the events of a model's answer to their end; only an end that was told is one. */
final class AnswerReader {

  // Signs of life come every ten seconds.
  private static final Duration SILENCE = Duration.ofSeconds(35);
  private static final int LONGEST = 2 * 1024 * 1024;
  private static final Set<String> KNOWN =
      Set.of(
          "start",
          "text",
          "thinking",
          "thinking_signature",
          "redacted_thinking",
          "tool_call_start",
          "tool_call_end",
          "usage",
          "done",
          "error");

  private final LineStream lines;
  private final ObjectMapper json;
  private final Deadline deadline;
  private final ModelTurn turn = new ModelTurn();
  private long characters;

  AnswerReader(LineStream lines, ObjectMapper json, Deadline deadline) {
    this.lines = lines;
    this.json = json;
    this.deadline = deadline;
  }

  /** The whole answer; every event is told as it comes. */
  ModelTurn read(Consumer<ModelEvent> events) throws ModelException, InterruptedException {
    while (turn.stopReason() == null) {
      var event = event(line());
      if (event instanceof ModelEvent.Failed failed) {
        throw new ModelException(failed.code(), failed.errorCode(), failed.message());
      }
      if (event != null) {
        turn.take(event);
        events.accept(event);
      }
    }
    return whole();
  }

  private String line() throws ModelException, InterruptedException {
    try {
      var left = deadline.left();
      var line = lines.next(left.compareTo(SILENCE) < 0 ? left : SILENCE);
      if (line == null || deadline.passed()) {
        throw line == null ? ModelException.lost("the model's answer broke off") : late();
      }
      return line;
    } catch (TimeoutException silent) {
      throw deadline.passed() ? late() : ModelException.lost("the model fell silent");
    } catch (IOException cut) {
      throw ModelException.lost("the model's answer broke off");
    }
  }

  private ModelException late() {
    return ModelException.lost("no complete answer within " + deadline.seconds() + " s");
  }

  /** Null for what this program does not know, or has no use for. */
  private @Nullable ModelEvent event(String line) throws ModelException {
    try {
      var event = json.readTree(line);
      if (!KNOWN.contains(event.path("type").asText())) {
        return null;
      }
      count(event);
      return json.treeToValue(event, ModelEvent.class);
    } catch (JsonProcessingException damaged) {
      throw ModelException.unusable("the model's answer is damaged");
    }
  }

  private void count(JsonNode event) throws ModelException {
    for (var member : event) {
      characters += member.isTextual() ? member.textValue().length() : 0;
    }
    if (characters > LONGEST) {
      throw ModelException.unusable("the answer is too long");
    }
  }

  private ModelTurn whole() throws ModelException {
    if (turn.stopReason() == StopReason.LENGTH) {
      throw ModelException.unusable("the answer was cut at the model's token limit");
    }
    if (turn.stopReason() == StopReason.FILTERED) {
      throw ModelException.unusable("the provider withheld the answer");
    }
    return turn;
  }
}
