package io.fengyu.workflow.publication;

import com.fasterxml.jackson.annotation.JsonRawValue;
import io.vertx.mutiny.sqlclient.Row;

/** A published workflow as the tool that others see in it. */
public record CallableWorkflow(
    String id, int revision, String name, String description, @JsonRawValue String inputSchema) {

  static CallableWorkflow of(Row row) {
    return new CallableWorkflow(
        row.getString("workflow_id"),
        row.getInteger("revision"),
        row.getString("name"),
        row.getString("description"),
        row.getString("input_schema"));
  }
}
