package io.fengyu.workflow.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.fengyu.workflow.WorkflowProblems;
import io.fengyu.workflow.definition.Definition;
import io.fengyu.workflow.json.ExactJson;
import org.jspecify.annotations.Nullable;

/** The body of a start: a plan as it was saved, beside inputs that were checked and completed. */
final class RunStart {

  private RunStart() {}

  static ObjectNode of(Definition definition, RunWish wish) {
    if (definition.stepCount() == 0) {
      throw WorkflowProblems.empty();
    }
    var schema = ExactJson.stored(definition.inputSchema());
    var contract = new InputContract(schema);
    var inputs = contract.complete(wish.files().fill(contract, schema, wish.inputs()));
    var start = ExactJson.object();
    start.putRawValue("workflow", new RawValue(definition.plan()));
    start.set("inputs", inputs);
    start.set("config", wish.config());
    start.set("files", wish.files().entries());
    put(start, "start_request_id", wish.startRequestId());
    put(start, "session_id", wish.sessionId());
    return start;
  }

  private static void put(ObjectNode start, String name, @Nullable String value) {
    if (value != null) {
      start.put(name, value);
    }
  }
}
