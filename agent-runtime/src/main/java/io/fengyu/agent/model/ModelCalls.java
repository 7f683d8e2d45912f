package io.fengyu.agent.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fengyu.contract.client.InternalClient;
import io.fengyu.contract.client.InternalStreams;
import io.fengyu.contract.client.LineStream;
import io.fengyu.contract.client.Service;
import io.fengyu.contract.model.ModelEvent;
import io.fengyu.contract.model.ModelStreamRequest;
import io.fengyu.contract.model.ModelTurn;
import io.fengyu.contract.problem.ProblemException;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The one place where a run asks a model, whatever for. */
@ApplicationScoped
public class ModelCalls {

  private static final Duration BUSY_PAUSE = Duration.ofSeconds(1);

  private final InternalClient client;
  private final InternalStreams streams;
  private final ObjectMapper json;

  ModelCalls(InternalClient client, InternalStreams streams, ObjectMapper json) {
    this.client = client;
    this.streams = streams;
    this.json = json;
  }

  /**
   * Fails with 422 {@code MODEL_NOT_CONFIGURED} or {@code MODEL_UNAVAILABLE} when the model could
   * not be asked now; asks no provider.
   *
   * @param model null for the one in force
   */
  public Uni<Void> ready(String owner, @Nullable String model) {
    return client
        .get(Service.CHAT, "/internal/model/ready")
        .as(owner)
        .query("model", model)
        .send()
        .replaceWithVoid();
  }

  /**
   * A request, ready to be sent.
   *
   * @param body as chat-service takes it
   * @param meter told what the request cost, also when its answer broke off
   */
  public record Question(UUID runId, String owner, JsonNode body, Consumer<ModelSpent> meter) {

    /** The same request, whose cost is told to somebody. */
    public Question metered(Consumer<ModelSpent> by) {
      return new Question(runId, owner, body, by);
    }
  }

  /** Writes a request down. */
  public Question question(UUID runId, String owner, ModelStreamRequest request) {
    return new Question(runId, owner, json.valueToTree(request), spent -> {});
  }

  /**
   * Blocks until the model has answered; an interrupt ends its request. What the answer cost is in
   * the turn that comes back.
   *
   * @param within for everything, a wait for a free place included
   * @param events told every event of the answer as it comes
   * @throws ModelException when there is no whole answer, or not in time
   */
  public ModelTurn ask(Question question, Duration within, Consumer<ModelEvent> events)
      throws ModelException, InterruptedException {
    var deadline = new Deadline(within);
    try (var stream = open(question, deadline)) {
      return answer(question, new AnswerReader(stream, json, deadline), events);
    } catch (ProblemException refused) {
      throw refusal(refused);
    }
  }

  private static ModelTurn answer(
      Question question, AnswerReader reader, Consumer<ModelEvent> events)
      throws ModelException, InterruptedException {
    var heard = new Heard();
    try {
      return reader.read(
          event -> {
            heard.take(event);
            events.accept(event);
          });
    } finally {
      question.meter().accept(heard.spent(question.body()));
    }
  }

  /** Waits its turn where the owner, or the service, has too many requests open. */
  private LineStream open(Question question, Deadline deadline) throws InterruptedException {
    var headers = Map.of("X-User-ID", question.owner(), "X-Run-ID", question.runId().toString());
    while (true) {
      try {
        return streams.post(Service.CHAT, "/internal/model/stream", headers, question.body());
      } catch (ProblemException refused) {
        if (refused.problem().status() != 429 || deadline.left().compareTo(BUSY_PAUSE) < 0) {
          throw refused;
        }
        Thread.sleep(BUSY_PAUSE);
      }
    }
  }

  private static ModelException refusal(ProblemException refused) {
    var code = refused.problem().code();
    return switch (code) {
      case "MODEL_NOT_CONFIGURED" ->
          new ModelException(code, "AUTH_MISSING", "No usable model is configured");
      case "MODEL_UNAVAILABLE" ->
          new ModelException(code, "PROVIDER_4XX", "The model cannot be used");
      default -> ModelException.unusable("the model could not be asked (" + code + ")");
    };
  }
}
