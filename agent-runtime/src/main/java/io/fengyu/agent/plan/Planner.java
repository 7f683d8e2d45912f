package io.fengyu.agent.plan;

import io.fengyu.agent.model.ModelCalls;
import io.fengyu.agent.model.ModelException;
import io.fengyu.agent.model.ModelSpent;
import io.fengyu.agent.tool.ToolSpec;
import io.fengyu.contract.model.ModelEvent;
import io.fengyu.contract.model.ModelStreamRequest;
import io.fengyu.contract.model.ModelStreamRequest.Message;
import io.fengyu.contract.model.ModelTurn;
import io.fengyu.contract.plan.PlanReader.ReadPlan;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Asks the owner's model for a plan; the model is offered no tools. */
@ApplicationScoped
public class Planner {

  private final ModelCalls models;
  private final Briefing briefing;
  private final PlanningConfig config;

  Planner(ModelCalls models, Briefing briefing, PlanningConfig config) {
    this.models = models;
    this.briefing = briefing;
    this.config = config;
  }

  /**
   * Fails with 422 {@code MODEL_NOT_CONFIGURED} or {@code MODEL_UNAVAILABLE} when a plan could not
   * be asked for now; asks no provider.
   *
   * @param model null for the one in force
   */
  public Uni<Void> ready(String owner, @Nullable String model) {
    return models.ready(owner, model);
  }

  /** A request with everything the model will be told. */
  public record Question(PlanningRequest request, ModelCalls.Question body) {

    /** The same question, whose cost is told to somebody. */
    public Question metered(Consumer<ModelSpent> by) {
      return new Question(request, body.metered(by));
    }
  }

  /** What the model has to know. Blocks, and takes no interrupt. */
  public String briefing(PlanningRequest request) {
    return briefing.of(request);
  }

  /**
   * A request with everything the model will be told.
   *
   * @param user the briefing, and what was added to it
   */
  public Question question(PlanningRequest request, String user) {
    var body =
        ModelStreamRequest.withoutTools(
            request.model(), Prompt.system(request), List.of(Message.user(user)), true);
    return new Question(request, models.question(request.runId(), request.owner(), body));
  }

  /**
   * Blocks until the model has answered; an interrupt ends its request.
   *
   * @param fragments told every fragment of the raw answer, in order
   * @throws PlanningException when there is no plan, or not in time
   */
  public ReadPlan plan(Question question, Consumer<String> fragments)
      throws PlanningException, InterruptedException {
    var request = question.request();
    try {
      var within = Duration.ofSeconds(config.timeoutSeconds());
      var turn = models.ask(question.body(), within, event -> tell(event, fragments));
      return PlanAnswer.read(ModelTurn.text(turn.blocks()), request.goal(), names(request));
    } catch (ModelException failed) {
      throw failed.noModel()
          ? new PlanningException(failed.code(), failed.text())
          : new PlanningException(failed.text());
    }
  }

  private static void tell(ModelEvent event, Consumer<String> fragments) {
    if (event instanceof ModelEvent.Text(var text)) {
      fragments.accept(text);
    }
  }

  /**
   * The plan that an answer is, if it is nothing else: the object alone, or alone in a fence, with
   * steps that name tools there are.
   */
  public static @Nullable ReadPlan planIn(String answer, String goal, Set<String> tools) {
    return PlanAnswer.alone(answer, goal, tools);
  }

  private static Set<String> names(PlanningRequest request) {
    return request.tools().stream().map(ToolSpec::name).collect(Collectors.toSet());
  }
}
