package io.fengyu.workflow.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.workflow.WorkflowProblems;
import io.fengyu.workflow.json.ExactJson;
import io.fengyu.workflow.schema.FullSchema;
import org.jspecify.annotations.Nullable;

/** An input contract describes an object. */
final class SchemaShape {

  private SchemaShape() {}

  /** The schema; without any, one that declares nothing. */
  static ObjectNode checked(@Nullable JsonNode schema) {
    if (schema == null) {
      return ExactJson.object();
    }
    if (!(schema instanceof ObjectNode object) || !describesObject(object)) {
      throw WorkflowProblems.schemaNotObject();
    }
    FullSchema.check(object);
    return object;
  }

  private static boolean describesObject(ObjectNode schema) {
    var type = schema.get("type");
    var properties = schema.get("properties");
    return (type == null || "object".equals(type.textValue()))
        && (properties == null || properties.isObject());
  }
}
