package io.fengyu.workflow.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemException;
import io.fengyu.workflow.WorkflowProblems;
import io.fengyu.workflow.schema.FullSchema;
import io.fengyu.workflow.schema.FullSchema.Violation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a workflow wants to be given, as its input schema says. */
final class InputContract {

  private final JsonNode schema;

  InputContract(JsonNode schema) {
    this.schema = schema;
  }

  /** True when the schema names the input. */
  boolean declares(String name) {
    return schema.path("properties").has(name);
  }

  /**
   * The inputs with defaults filled in, checked, and with null for every declared one that is
   * neither given nor required, so that a plan can use all it declares.
   *
   * @param given is not changed
   */
  ObjectNode complete(ObjectNode given) {
    var inputs = given.deepCopy();
    fillDefaults(schema, inputs);
    refuse(InputCheck.of(schema, inputs));
    refuse(FullSchema.violations(schema, inputs));
    fillWithNull(inputs);
    return inputs;
  }

  /**
   * The same without a refusal: required inputs that are missing stay out.
   *
   * @param given is not changed
   */
  ObjectNode filled(ObjectNode given) {
    var inputs = given.deepCopy();
    fillDefaults(schema, inputs);
    var missing = InputCheck.required(schema).stream().filter(name -> lacks(inputs, name)).toList();
    fillWithNull(inputs);
    inputs.remove(missing);
    return inputs;
  }

  /**
   * The same where required inputs may still come: what is there is checked, what is missing stays
   * out.
   *
   * @param given is not changed
   */
  ObjectNode begun(ObjectNode given) {
    var check = InputCheck.of(schema, given);
    for (var refusal : check.refusals()) {
      throw refusal;
    }
    return filled(given);
  }

  /** Everything that {@link #complete} would refuse such inputs for, the worst first. */
  List<Problem> problems(ObjectNode filled) {
    var check = InputCheck.of(schema, filled);
    var all = new ArrayList<Problem>();
    if (!check.missing().isEmpty()) {
      all.add(WorkflowProblems.inputMissing(check.missing()).problem());
    }
    check.refusals().forEach(refusal -> all.add(refusal.problem()));
    if (all.isEmpty()) {
      FullSchema.violations(schema, filled).forEach(one -> all.add(refusal(one).problem()));
    }
    return all;
  }

  private static boolean lacks(ObjectNode inputs, String name) {
    return inputs.path(name).isMissingNode() || inputs.path(name).isNull();
  }

  private void fillWithNull(ObjectNode inputs) {
    for (var declared : schema.path("properties").properties()) {
      if (!inputs.has(declared.getKey())) {
        inputs.set(declared.getKey(), NullNode.getInstance());
      }
    }
  }

  private static void refuse(InputCheck check) {
    if (!check.missing().isEmpty()) {
      throw WorkflowProblems.inputMissing(check.missing());
    }
    check.refusals().stream()
        .findFirst()
        .ifPresent(
            first -> {
              throw first;
            });
  }

  private static void refuse(List<Violation> violations) {
    var missing =
        violations.stream()
            .filter(one -> one.keyword().equals("required"))
            .map(Violation::name)
            .toList();
    if (!missing.isEmpty()) {
      throw WorkflowProblems.inputMissing(missing);
    }
    for (var first : violations) {
      throw refusal(first);
    }
  }

  private static ProblemException refusal(Violation one) {
    return switch (one.keyword()) {
      case "required" -> WorkflowProblems.inputMissing(List.of(one.name()));
      case "type" -> WorkflowProblems.inputType(one.name(), one.expected(), one.actual());
      default -> WorkflowProblems.inputInvalid(one.name(), one.keyword());
    };
  }

  private static void fillDefaults(@Nullable JsonNode schema, JsonNode value) {
    if (schema == null) {
      return;
    }
    if (value instanceof ObjectNode object) {
      fillFields(schema, object);
    } else if (value.isArray()) {
      value.forEach(element -> fillDefaults(schema.get("items"), element));
    }
  }

  private static void fillFields(JsonNode schema, ObjectNode object) {
    for (var property : schema.path("properties").properties()) {
      var name = property.getKey();
      var standard = property.getValue().get("default");
      if (standard != null && lacks(schema, object, name)) {
        object.set(name, standard.deepCopy());
      }
      if (object.has(name)) {
        fillDefaults(property.getValue(), object.get(name));
      }
    }
  }

  /** A null is an answer for an optional input, and none for a required one. */
  private static boolean lacks(JsonNode schema, ObjectNode object, String name) {
    return !object.has(name)
        || (object.get(name).isNull() && InputCheck.required(schema).contains(name));
  }
}
