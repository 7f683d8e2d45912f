package io.fengyu.workflow.authoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.workflow.schema.JsonTypes;
import java.util.ArrayList;
import java.util.List;

/** Compares the arguments of a node with what its tool declares; references are open values. */
final class ArgumentCheck {

  private ArgumentCheck() {}

  /** Required arguments that are not there. */
  static List<String> missing(JsonNode schema, ObjectNode args) {
    var missing = new ArrayList<String>();
    for (var required : schema.path("required")) {
      var value = args.path(required.asText());
      if (value.isMissingNode() || value.isNull()) {
        missing.add(required.asText());
      }
    }
    return missing;
  }

  /** What the tool could not do anything with, in words. */
  static List<String> wrong(JsonNode schema, ObjectNode args) {
    var wrong = new ArrayList<String>();
    for (var arg : args.properties()) {
      var declared = schema.path("properties").get(arg.getKey());
      if (declared == null) {
        if (closed(schema)) {
          wrong.add("the tool has no argument " + arg.getKey());
        }
      } else if (!fits(declared, arg.getValue())) {
        wrong.add(
            "argument "
                + arg.getKey()
                + " must be "
                + JsonTypes.text(declared.path("type"))
                + ", not "
                + JsonTypes.of(arg.getValue()));
      }
    }
    return wrong;
  }

  private static boolean closed(JsonNode schema) {
    return schema.path("additionalProperties").isBoolean()
        && !schema.path("additionalProperties").booleanValue();
  }

  private static boolean fits(JsonNode declared, JsonNode value) {
    boolean open = value.isTextual() && value.textValue().contains("{{");
    return open
        || value.isNull()
        || !declared.has("type")
        || JsonTypes.matches(declared.get("type"), value);
  }
}
