package io.fengyu.agent.tool.excel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Reach;
import io.fengyu.agent.tool.ToolArgs;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.ToolSpec;
import io.fengyu.agent.tool.excel.ExcelSettings.Mode;
import io.fengyu.agent.tool.excel.ExcelSettings.State;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says how the run's next split is to be done. */
@Singleton
class ExcelConfigure extends ExcelTool {

  private static final ToolSpec SPEC =
      declare(
              "excel_configure",
              "Sets how excel_execute splits the workbook: BY_SHEET makes a file of each sheet,"
                  + " BY_COLUMN a file of each value of a column, COMPLEX follows the entries of"
                  + " excel_complex_config. Holds for this run only.")
          .effect(Effect.WRITE)
          .idempotent()
          .resources(List.of("workbook"), List.of("excel_settings"))
          .label("Configure split")
          .in(
              Field.required("mode", "string", "How to split.")
                  .oneOf("BY_SHEET", "BY_COLUMN", "COMPLEX"),
              Field.optional("filePath", "file", "The workbook (.xlsx)."),
              Field.optional("sheets", "array", "By sheet: only these sheets; all when left out.")
                  .ofType("string"),
              Field.optional(
                  "splitSheet", "string", "By column: the sheet; the first when left out."),
              Field.optional(
                  "splitColumn", "any", "By column: number of the column from 1, or its name."),
              Field.optional(
                  "headerRow",
                  "integer",
                  "By column: last row of the header, from 1; found when left out."))
          .spec();

  ExcelConfigure() {
    super(SPEC);
  }

  @Override
  ObjectNode answer(ToolCall call, ExcelMemory memory, CallStop stop) throws Exception {
    var args = ToolArgs.of(call);
    var before = memory.read();
    var file = args.optionalText("filePath");
    var column = args.optionalText("splitColumn");
    var mode = mode(args.text("mode"));
    if (mode == Mode.BY_COLUMN && (column == null || column.isBlank())) {
      throw new ToolException("argument 'splitColumn' is missing");
    }
    var settings =
        new ExcelSettings(
            State.CONFIGURED,
            mode,
            file == null ? before.filePath() : file,
            sheets(args.given("sheets")),
            args.optionalText("splitSheet"),
            column,
            args.integer("headerRow", 0, 0, 1_000_000),
            mode == Mode.COMPLEX ? before.entries() : List.of(),
            null,
            null);
    checkSheets(call, memory, settings);
    memory.write(settings);
    return success("The split is set to " + mode + ".");
  }

  private static Mode mode(String word) throws ToolException {
    try {
      return Mode.valueOf(word);
    } catch (IllegalArgumentException e) {
      throw new ToolException("argument 'mode' must be BY_SHEET, BY_COLUMN or COMPLEX");
    }
  }

  private static List<String> sheets(@Nullable JsonNode given) throws ToolException {
    var sheets = new ArrayList<String>();
    if (given != null) {
      if (!given.isArray()) {
        throw new ToolException("argument 'sheets' must be a list of names");
      }
      given.forEach(name -> sheets.add(name.asText()));
    }
    return sheets;
  }

  // A wrong name is told now and not after an approval.
  private static void checkSheets(ToolCall call, ExcelMemory memory, ExcelSettings settings)
      throws Exception {
    var path = settings.filePath();
    if (path == null) {
      return;
    }
    try (var scratch = Scratch.of(memory);
        var book = SourceBook.open(Reach.of(call).open(path), scratch.path())) {
      var wanted = new ArrayList<>(settings.sheets());
      if (settings.splitSheet() != null) {
        wanted.add(settings.splitSheet());
      }
      wanted.removeAll(book.sheetNames());
      if (!wanted.isEmpty()) {
        throw new ToolException(
            "there is no sheet '" + wanted.getFirst() + "'; there are " + book.sheetNames());
      }
    }
  }
}
