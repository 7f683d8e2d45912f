package io.fengyu.agent.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fengyu.agent.tool.ToolSpec;
import io.fengyu.contract.client.InternalClient;
import io.fengyu.contract.client.InternalStreams;
import io.fengyu.contract.client.LineStream;
import io.fengyu.contract.client.Service;
import io.fengyu.contract.model.ModelStreamRequest;
import io.fengyu.contract.model.ModelStreamRequest.Message;
import io.fengyu.contract.plan.PlanReader.ReadPlan;
import io.fengyu.contract.problem.ProblemException;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Asks the owner's model for a plan, through chat-service; the model is offered no tools. */
@ApplicationScoped
public class Planner {

  private static final Duration CONTEXT_WITHIN = Duration.ofSeconds(10);
  private static final Duration BUSY_PAUSE = Duration.ofSeconds(1);

  private final InternalClient client;
  private final InternalStreams streams;
  private final PlanningContext context;
  private final PlanningConfig config;
  private final ObjectMapper json;

  Planner(
      InternalClient client,
      InternalStreams streams,
      PlanningContext context,
      PlanningConfig config,
      ObjectMapper json) {
    this.client = client;
    this.streams = streams;
    this.context = context;
    this.config = config;
    this.json = json;
  }

  /**
   * Fails with 422 {@code MODEL_NOT_CONFIGURED} or {@code MODEL_UNAVAILABLE} when a plan could not
   * be asked for now; asks no provider.
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
   * A request with everything the model will be told.
   *
   * @param body as chat-service takes it
   */
  public record Question(PlanningRequest request, JsonNode body) {}

  /** Gathers what the model has to know. Blocks, and takes no interrupt. */
  public Question question(PlanningRequest request) {
    var earlier = context.earlier(request.owner(), request.sessionId(), request.runId());
    var user =
        Prompt.user(
            request,
            earlier.await().atMost(CONTEXT_WITHIN),
            context.files(request.runId()).await().atMost(CONTEXT_WITHIN));
    var body =
        ModelStreamRequest.withoutTools(
            request.model(), Prompt.system(request), List.of(Message.user(user)), true);
    return new Question(request, json.valueToTree(body));
  }

  /**
   * Blocks until the model has answered; an interrupt ends its request.
   *
   * @param fragments told every fragment of the raw answer, in order
   * @throws PlanningException when there is no plan, or not in time
   */
  public ReadPlan plan(Question question, Consumer<String> fragments)
      throws PlanningException, InterruptedException {
    var deadline = new Deadline(Duration.ofSeconds(config.timeoutSeconds()));
    var request = question.request();
    try (var stream = open(request, question.body(), deadline)) {
      var answer = new ModelAnswer(stream, json, deadline).read(fragments);
      return PlanAnswer.read(answer, request.goal(), names(request));
    } catch (ProblemException refused) {
      throw refusal(refused);
    }
  }

  /** Waits its turn where the owner, or the service, has too many requests open. */
  private LineStream open(PlanningRequest request, JsonNode body, Deadline deadline)
      throws PlanningException, InterruptedException {
    var headers = Map.of("X-User-ID", request.owner(), "X-Run-ID", request.runId().toString());
    while (true) {
      try {
        return streams.post(Service.CHAT, "/internal/model/stream", headers, body);
      } catch (ProblemException refused) {
        if (refused.problem().status() != 429 || deadline.left().compareTo(BUSY_PAUSE) < 0) {
          throw refusal(refused);
        }
        Thread.sleep(BUSY_PAUSE);
      }
    }
  }

  private static PlanningException refusal(ProblemException refused) {
    var code = refused.problem().code();
    return switch (code) {
      case "MODEL_NOT_CONFIGURED" -> new PlanningException(code, "No usable model is configured");
      case "MODEL_UNAVAILABLE" -> new PlanningException(code, "The model cannot be used");
      default -> new PlanningException("the model could not be asked (" + code + ")");
    };
  }

  private static java.util.Set<String> names(PlanningRequest request) {
    return request.tools().stream().map(ToolSpec::name).collect(Collectors.toSet());
  }
}
