package io.fengyu.agent.run;

import io.fengyu.agent.journal.EventType;
import io.fengyu.agent.model.ModelException;
import io.fengyu.contract.model.ModelEvent;
import io.fengyu.contract.model.ModelStreamRequest.Message;
import io.fengyu.contract.model.ModelTurn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A stage of its own before the work: what is known, what is missing, what tools would need. */
final class Reasoning {

  private static final int LONGEST = 20_000;

  private static final String RULES =
      """
      You prepare work that is done after you. You do not do it and you do not answer the goal.
      Check first, briefly:
      - Evidence: which facts are given, which are only assumed, and which have to be looked up?
      - Preconditions: what must be true before each tool of the list may be used here? Which
        arguments are known for certain?
      - Risks: which effects could not be undone?
      Then say in a few sentences how to proceed.
      """;

  private final RunWork work;
  private final RunWriter writer;
  private final RunModel model;

  Reasoning(RunScope scope, RunModel model) {
    this.work = scope.work();
    this.writer = scope.writer();
    this.model = model;
  }

  /** What came out of it; everybody sees it as thinking. Null when the run was stopped. */
  @Nullable String of(String user) throws ModelException {
    var turn = model.ask(system(), List.of(Message.user(user)), List.of(), this::show);
    if (turn == null) {
      return null;
    }
    var text = ModelTurn.text(turn.blocks()).strip();
    if (text.isEmpty()) {
      throw ModelException.unusable("the model answered nothing");
    }
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
  }

  private String system() {
    var text = new StringBuilder(RULES).append("\nTools:\n");
    for (var tool : work.tools().values()) {
      var spec = tool.spec();
      text.append("- ").append(spec.name()).append(" (").append(spec.effect().wire());
      text.append("): ").append(spec.description()).append('\n');
    }
    return text.length() <= 4 * LONGEST ? text.toString() : text.substring(0, 4 * LONGEST);
  }

  private void show(ModelEvent event) {
    switch (event) {
      case ModelEvent.Text(var text) -> writer.text(EventType.THINKING, text);
      case ModelEvent.Thinking(var text) -> writer.text(EventType.THINKING, text);
      default -> {}
    }
  }
}
