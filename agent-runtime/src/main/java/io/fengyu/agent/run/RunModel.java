package io.fengyu.agent.run;

import io.fengyu.agent.model.ModelCalls;
import io.fengyu.agent.model.ModelException;
import io.fengyu.agent.plan.Briefing;
import io.fengyu.agent.plan.PlanningRequest;
import io.fengyu.agent.tool.Branches;
import io.fengyu.agent.tool.Tool;
import io.fengyu.contract.model.ModelEvent;
import io.fengyu.contract.model.ModelStreamRequest;
import io.fengyu.contract.model.ModelStreamRequest.Message;
import io.fengyu.contract.model.ModelTurn;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The model of one run, asked on the run's own thread; a stop ends its request. */
final class RunModel {

  // What providers take as the name of a function.
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  private final RunScope scope;
  private final RunWork work;
  private final Admission admission;
  private final ModelCalls models;
  private final Briefing briefing;
  private final Duration within;
  private int asked;
  // The back end that answered first goes on answering, whatever the configuration says by then.
  private @Nullable String pin;

  RunModel(RunScope scope, ModelCalls models, Briefing briefing, Duration within) {
    this.scope = scope;
    this.work = scope.work();
    this.admission = scope.admission();
    this.models = models;
    this.briefing = briefing;
    this.within = within;
  }

  /** Which back end has answered so far, for {@link #pinned}; null before the first answer. */
  @Nullable String pin() {
    return pin;
  }

  /** Goes on with the back end that answered before; null for none yet. */
  void pinned(@Nullable String before) {
    pin = before;
  }

  /** The goal, and what is known around it. */
  String briefing() {
    return briefing.of(
        new PlanningRequest(
            work.runId(),
            work.owner(),
            work.sessionId(),
            work.goal(),
            work.options().model(),
            List.of(),
            List.of(),
            null));
  }

  /**
   * What a stage of reasoning has to add to a text, if the run has one; the text itself if not.
   * Null when the run was stopped.
   */
  @Nullable String checked(String user) throws ModelException {
    if (!work.options().staged()) {
      return user;
    }
    var thought = new Reasoning(scope, this).of(user);
    return thought == null ? null : user + "\n\nChecked beforehand:\n" + thought + "\n";
  }

  /**
   * Blocks until the model has answered.
   *
   * @param tools what it may call; empty for words only
   * @return null when the run was stopped
   */
  @Nullable ModelTurn ask(
      String system, List<Message> messages, Collection<Tool> tools, Consumer<ModelEvent> events)
      throws ModelException {
    var request =
        new ModelStreamRequest(
            work.options().model(),
            pin,
            system,
            messages,
            null,
            work.options().staged(),
            tools.isEmpty() ? null : definitions(tools));
    var question = models.question(work.runId(), work.owner(), request).metered(scope::spent);
    if (!admission.enter()) {
      return null;
    }
    var id = "model-" + work.generation() + "-" + ++asked;
    var branch = admission.branches().begin(Branches.Kind.MODEL, id);
    try {
      var turn = models.ask(question, within, event -> hear(event, events));
      return admission.stopped() ? null : turn;
    } catch (InterruptedException stopped) {
      return null;
    } finally {
      branch.close();
      admission.leave();
    }
  }

  private void hear(ModelEvent event, Consumer<ModelEvent> events) {
    if (event instanceof ModelEvent.Start start) {
      pin = start.pin();
    } else {
      events.accept(event);
    }
  }

  private static List<ModelStreamRequest.Tool> definitions(Collection<Tool> tools) {
    return tools.stream()
        .map(Tool::spec)
        .map(s -> new ModelStreamRequest.Tool(s.name(), s.description(), s.inputSchema()))
        .toList();
  }

  /** True when a model can be offered a tool of that name. */
  static boolean offerable(String name) {
    return NAME.matcher(name).matches();
  }
}
