package io.fengyu.workflow.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.contract.problem.ProblemException;
import io.fengyu.workflow.WorkflowProblems;
import io.fengyu.workflow.schema.JsonTypes;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Compares inputs with the part of JSON Schema that a form can show: required, type, enum,
 * properties, items, additionalProperties, and bounds of length, items and value. Other keywords
 * say nothing here.
 */
final class InputCheck {

  private final List<String> missing = new ArrayList<>();
  private final List<ProblemException> types = new ArrayList<>();
  private final List<ProblemException> values = new ArrayList<>();

  private InputCheck() {}

  static InputCheck of(JsonNode schema, JsonNode inputs) {
    var check = new InputCheck();
    check.fields("", schema, inputs);
    return check;
  }

  /** Every required input that is absent or null, by its path. */
  List<String> missing() {
    return List.copyOf(missing);
  }

  /** What else is wrong, wrong types first. */
  List<ProblemException> refusals() {
    var all = new ArrayList<>(types);
    all.addAll(values);
    return all;
  }

  static Set<String> required(JsonNode schema) {
    var names = new LinkedHashSet<String>();
    schema.path("required").forEach(name -> names.add(name.asText()));
    return names;
  }

  private void value(String name, JsonNode schema, JsonNode value) {
    var type = schema.get("type");
    if (type != null && !JsonTypes.matches(type, value)) {
      types.add(WorkflowProblems.inputType(name, JsonTypes.text(type), JsonTypes.of(value)));
      return;
    }
    enumeration(name, schema, value);
    Bounds.broken(schema, value).ifPresent(keyword -> invalid(name, keyword));
    if (value.isObject()) {
      fields(name + ".", schema, value);
    }
    if (value.isArray() && schema.path("items").isObject()) {
      for (int i = 0; i < value.size(); i++) {
        value(name + "[" + i + "]", schema.get("items"), value.get(i));
      }
    }
  }

  private void fields(String prefix, JsonNode schema, JsonNode object) {
    var required = required(schema);
    required.stream()
        .filter(name -> object.path(name).isMissingNode() || object.path(name).isNull())
        .forEach(name -> missing.add(prefix + name));
    var properties = schema.path("properties");
    for (var field : object.properties()) {
      var declared = properties.get(field.getKey());
      if (declared == null) {
        additional(prefix + field.getKey(), schema);
      } else if (!field.getValue().isNull()) {
        value(prefix + field.getKey(), declared, field.getValue());
      }
    }
  }

  private void additional(String name, JsonNode schema) {
    var allowed = schema.path("additionalProperties");
    if (allowed.isBoolean() && !allowed.booleanValue()) {
      invalid(name, "additionalProperties");
    }
  }

  private void enumeration(String name, JsonNode schema, JsonNode value) {
    var allowed = schema.path("enum");
    if (!allowed.isArray()) {
      return;
    }
    for (var one : allowed) {
      if (JsonTypes.same(one, value)) {
        return;
      }
    }
    invalid(name, "enum");
  }

  private void invalid(String name, String keyword) {
    values.add(WorkflowProblems.inputInvalid(name, keyword));
  }
}
