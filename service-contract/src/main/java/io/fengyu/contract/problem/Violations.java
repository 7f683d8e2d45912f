package io.fengyu.contract.problem;

import jakarta.validation.ConstraintViolation;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.ElementKind;
import jakarta.validation.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Failed bean validation as one problem with an error for each field. */
final class Violations {

  // What the annotation classes carry for themselves; the rest are bounds a client wants to know.
  private static final Set<String> NOT_BOUNDS =
      Set.of("groups", "payload", "message", "flags", "regexp");

  private Violations() {}

  static Problem problem(ConstraintViolationException failure) {
    var problem = Problem.of(400, "INVALID_REQUEST");
    for (var violation : failure.getConstraintViolations()) {
      problem =
          problem.field(pointer(violation.getPropertyPath()), code(violation), params(violation));
    }
    return problem;
  }

  // The resource method and its parameter, the first two nodes, are not part of the body.
  private static String pointer(Path path) {
    var pointer = new StringBuilder();
    for (var node : path) {
      if (node.getIndex() != null) {
        pointer.append('/').append(node.getIndex());
      }
      if (node.getKind() == ElementKind.PROPERTY) {
        pointer.append('/').append(node.getName());
      }
    }
    return pointer.toString();
  }

  private static String code(ConstraintViolation<?> violation) {
    return switch (violation
        .getConstraintDescriptor()
        .getAnnotation()
        .annotationType()
        .getSimpleName()) {
      case "NotNull", "NotBlank", "NotEmpty" -> "REQUIRED";
      case "Size" -> "LENGTH";
      case "Min", "Max", "Positive", "PositiveOrZero", "DecimalMin", "DecimalMax" -> "OUT_OF_RANGE";
      case "Pattern", "Email" -> "FORMAT";
      default -> "INVALID";
    };
  }

  private static Map<String, Object> params(ConstraintViolation<?> violation) {
    var params = new LinkedHashMap<String, Object>();
    violation.getConstraintDescriptor().getAttributes().entrySet().stream()
        .filter(bound -> !NOT_BOUNDS.contains(bound.getKey()))
        .filter(bound -> bound.getValue() instanceof Number)
        .forEach(bound -> params.put(bound.getKey(), bound.getValue()));
    return params;
  }
}
