package io.fengyu.agent.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fengyu.contract.client.LineStream;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the events of a model's answer to their end; only an end that was told is one. */
final class ModelAnswer {

  // Signs of life come every ten seconds.
  private static final Duration SILENCE = Duration.ofSeconds(35);
  private static final int LONGEST = 2 * 1024 * 1024;

  private final LineStream lines;
  private final ObjectMapper json;
  private final Deadline deadline;
  private final StringBuilder text = new StringBuilder();

  ModelAnswer(LineStream lines, ObjectMapper json, Deadline deadline) {
    this.lines = lines;
    this.json = json;
    this.deadline = deadline;
  }

  /** The whole text; every fragment is told as it comes. */
  String read(Consumer<String> fragments) throws PlanningException, InterruptedException {
    while (true) {
      var event = event(line());
      switch (event.path("type").asText()) {
        case "text" -> take(event.path("text").asText(), fragments);
        case "done" -> {
          return whole(event.path("stopReason").asText());
        }
        case "error" -> throw failure(event);
        default -> {}
      }
    }
  }

  private String line() throws PlanningException, InterruptedException {
    try {
      var left = deadline.left();
      var line = lines.next(left.compareTo(SILENCE) < 0 ? left : SILENCE);
      if (line == null || deadline.passed()) {
        throw line == null ? new PlanningException("the model's answer broke off") : late();
      }
      return line;
    } catch (TimeoutException silent) {
      throw deadline.passed() ? late() : new PlanningException("the model fell silent");
    } catch (IOException cut) {
      throw new PlanningException("the model's answer broke off");
    }
  }

  private PlanningException late() {
    return new PlanningException("no complete answer within " + deadline.seconds() + " s");
  }

  private JsonNode event(String line) throws PlanningException {
    try {
      return json.readTree(line);
    } catch (JsonProcessingException damaged) {
      throw new PlanningException("the model's answer is damaged");
    }
  }

  private void take(String fragment, Consumer<String> fragments) throws PlanningException {
    if (fragment.isEmpty()) {
      return;
    }
    if (text.length() + fragment.length() > LONGEST) {
      throw new PlanningException("the answer is too long");
    }
    text.append(fragment);
    fragments.accept(fragment);
  }

  private String whole(@Nullable String stopReason) throws PlanningException {
    if ("length".equals(stopReason)) {
      throw new PlanningException("the answer was cut at the model's token limit");
    }
    if ("filtered".equals(stopReason)) {
      throw new PlanningException("the provider withheld the answer");
    }
    return text.toString();
  }

  private static PlanningException failure(JsonNode event) {
    var code = event.path("code").asText();
    var message = event.path("message").asText();
    return code.equals("MODEL_NOT_CONFIGURED") || code.equals("MODEL_UNAVAILABLE")
        ? new PlanningException(code, message)
        : new PlanningException(message);
  }
}
