package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.plan.CompiledPlan;
import io.fengyu.contract.plan.InputBinding;
import io.fengyu.contract.plan.Reference;
import io.fengyu.contract.plan.Reference.Side;
import io.fengyu.contract.plan.Reference.Source;
import io.fengyu.contract.plan.TextTemplate;
import io.fengyu.contract.plan.UnresolvedReferenceException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is known of a step's arguments before anything has run: inputs and pinned results. */
final class KnownValues implements TextTemplate.Values {

  private final CompiledPlan plan;
  private final ObjectNode inputs;
  private final int step;
  private final List<String> missing = new ArrayList<>();

  KnownValues(CompiledPlan plan, ObjectNode inputs, int step) {
    this.plan = plan;
    this.inputs = inputs;
    this.step = step;
  }

  /** The references that stayed as they were written, each once. */
  List<String> missing() {
    return missing.stream().distinct().toList();
  }

  @Override
  public JsonNode of(Reference reference) {
    var known = known(reference);
    if (known == null) {
      missing.add(reference.root() + reference.path());
      return JsonNodeFactory.instance.textNode(reference.toString());
    }
    return known;
  }

  private @Nullable JsonNode known(Reference reference) {
    try {
      return switch (reference.source()) {
        case Source.Input input -> InputBinding.value(reference, inputs);
        case Source.Last last -> pinned(reference, Side.RESULT);
        case Source.Step(int index, var side) -> pinned(reference, side);
        case Source.Node(var id, var side) -> pinned(reference, side);
      };
    } catch (UnresolvedReferenceException unknown) {
      return null;
    }
  }

  private @Nullable JsonNode pinned(Reference reference, Side side) {
    int target = plan.target(reference, step);
    if (side == Side.INPUT || target < 0 || target >= step) {
      return null;
    }
    var result = plan.steps().get(target).step().pinnedResult();
    return result == null ? null : reference.path().in(Json.valueOf(result), reference.root());
  }
}
