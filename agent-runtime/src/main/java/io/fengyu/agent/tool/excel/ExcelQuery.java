package io.fengyu.agent.tool.excel;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolSpec;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.List;

/** Tells how far the run's split is. */
@Singleton
class ExcelQuery extends ExcelTool {

  private static final ToolSpec SPEC =
      declare("excel_query", "Tells what is configured and how the last split of this run went.")
          .effect(Effect.READ)
          .resources(List.of("excel_settings"), List.of())
          .label("State of the split")
          .out(
              Field.required("state", "string", "How far it is.")
                  .oneOf("IDLE", "CONFIGURED", "RUNNING", "DONE", "FAILED", "CANCELLED"),
              Field.optional("mode", "string", "How it is to be split."),
              Field.optional("result", "object", "What the split returned."))
          .spec();

  ExcelQuery() {
    super(SPEC);
  }

  @Override
  ObjectNode answer(ToolCall call, ExcelMemory memory, CallStop stop) throws IOException {
    var settings = memory.read();
    var result = success("The split is " + settings.state() + ".");
    result.put("state", settings.state().name());
    if (settings.mode() != null) {
      result.put("mode", settings.mode().name());
    }
    if (settings.error() != null) {
      result.put("error", settings.error());
    }
    if (settings.result() != null) {
      result.set("result", settings.result());
    }
    return result;
  }
}
