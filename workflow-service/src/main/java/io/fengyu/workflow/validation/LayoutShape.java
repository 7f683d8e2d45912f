package io.fengyu.workflow.validation;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.workflow.WorkflowProblems;
import org.jspecify.annotations.Nullable;

/** A layout gives steps, by their index, a place that can be drawn. */
final class LayoutShape {

  private LayoutShape() {}

  static void check(@Nullable JsonNode layout, int steps) {
    if (layout == null) {
      return;
    }
    if (!layout.isObject()) {
      throw WorkflowProblems.layoutInvalid("");
    }
    for (var place : layout.properties()) {
      if (!isStep(place.getKey(), steps) || !isPlace(place.getValue())) {
        throw WorkflowProblems.layoutInvalid(place.getKey());
      }
    }
  }

  private static boolean isStep(String key, int steps) {
    return key.matches("0|[1-9][0-9]{0,5}") && Integer.parseInt(key) < steps;
  }

  private static boolean isPlace(JsonNode place) {
    return isFinite(place.path("x")) && isFinite(place.path("y"));
  }

  private static boolean isFinite(JsonNode number) {
    return number.isNumber() && Double.isFinite(number.doubleValue());
  }
}
