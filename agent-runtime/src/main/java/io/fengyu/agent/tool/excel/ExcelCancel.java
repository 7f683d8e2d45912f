package io.fengyu.agent.tool.excel;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolSpec;
import io.fengyu.agent.tool.excel.ExcelSettings.State;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.List;

/** Asks a split of the same run to stop. */
@Singleton
class ExcelCancel extends ExcelTool {

  private static final ToolSpec SPEC =
      declare("excel_cancel", "Stops a split of this run that is under way; its files are removed.")
          .effect(Effect.WRITE)
          .idempotent()
          .resources(List.of(), List.of("excel_cancellation"))
          .label("Stop the split")
          .out(
              Field.required("state", "string", "How far the split is.")
                  .oneOf("IDLE", "CONFIGURED", "RUNNING", "DONE", "FAILED", "CANCELLED"))
          .spec();

  ExcelCancel() {
    super(SPEC);
  }

  @Override
  ObjectNode answer(ToolCall call, ExcelMemory memory, CallStop stop) throws IOException {
    var state = memory.read().state();
    if (state == State.RUNNING) {
      memory.askToStop();
    }
    var running = state == State.RUNNING;
    return success(running ? "The split is asked to stop." : "No split is under way.")
        .put("state", state.name());
  }
}
