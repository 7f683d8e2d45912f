package io.fengyu.contract.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.plan.Reference.Source;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts the values of a run's inputs in the place of {@code {{inputs.*}}}. What comes out is data:
 * feed it to a tool or a person, never to a template again.
 */
public final class InputBinding {

  private InputBinding() {}

  /** The goal with its inputs rendered. Other references are left as written. */
  public static String goal(String goal, ObjectNode inputs) {
    return TextTemplate.parse(goal).render(reference -> valueOrSelf(reference, inputs));
  }

  /** The arguments with their inputs bound. Other references are left as written. */
  public static ObjectNode args(ObjectNode args, ObjectNode inputs) {
    return ArgsTemplate.compile(args).resolve(reference -> valueOrSelf(reference, inputs));
  }

  /**
   * The value of a reference to an input, JSON null included.
   *
   * @throws UnresolvedReferenceException when nothing is bound there
   */
  public static JsonNode value(Reference reference, ObjectNode inputs) {
    var name = ((Source.Input) reference.source()).name();
    var bound = inputs.get(name);
    if (bound == null) {
      throw new UnresolvedReferenceException("inputs." + name + " has no value");
    }
    if (bound.isNull() && reference.path().equals(ValuePath.ROOT)) {
      return bound;
    }
    return reference.path().in(bound, reference.root());
  }

  /** References to inputs, in a goal and in the arguments of all steps, in order. */
  public static List<Reference> references(@Nullable String goal, AgentPlan plan) {
    var all = new ArrayList<Reference>();
    if (goal != null) {
      addInputs(TextTemplate.parse(goal).references(), all);
    }
    for (var step : plan.steps()) {
      addInputs(ArgsTemplate.compile(step.args()).references(), all);
    }
    return all;
  }

  /** Names of the inputs that a goal and a plan use, each once, in order of appearance. */
  public static Set<String> names(@Nullable String goal, AgentPlan plan) {
    var names = new LinkedHashSet<String>();
    for (var reference : references(goal, plan)) {
      names.add(((Source.Input) reference.source()).name());
    }
    return names;
  }

  /** True when a value, JSON null included, is bound at the reference. */
  static boolean bound(Reference reference, ObjectNode inputs) {
    var value = inputs.get(((Source.Input) reference.source()).name());
    return value != null && reference.path().existsIn(value);
  }

  private static void addInputs(Collection<Reference> from, List<Reference> to) {
    from.stream().filter(r -> r.source() instanceof Source.Input).forEach(to::add);
  }

  private static JsonNode valueOrSelf(Reference reference, ObjectNode inputs) {
    return reference.source() instanceof Source.Input
        ? value(reference, inputs)
        : JsonNodeFactory.instance.textNode(reference.toString());
  }
}
