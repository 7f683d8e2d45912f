package io.fengyu.agent.tool.excel;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Reach;
import io.fengyu.agent.tool.ToolArgs;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolSpec;
import jakarta.inject.Singleton;
import java.nio.channels.SeekableByteChannel;
import java.util.List;
import org.apache.poi.poifs.filesystem.FileMagic;

/** Tells which sheets and columns a workbook has. */
@Singleton
class ExcelAnalyze extends ExcelTool {

  private static final int MOST_COLUMNS = 1_000;

  private static final ToolSpec SPEC =
      declare(
              "excel_analyze",
              "Lists the sheets of an Excel workbook with their columns, the row that names them"
                  + " and how many rows hold data. Row and column numbers start at 1.")
          .effect(Effect.READ)
          .resources(List.of("workbook"), List.of())
          .label("Analyze workbook")
          .in(Field.required("filePath", "file", "The workbook (.xlsx, .xlsm or .xls)."))
          .out(
              Field.optional("sheets", "array", "The sheets in order.")
                  .of(
                      Field.required("name", "string", "Name of the sheet."),
                      Field.required("headerRow", "integer", "Row that names the columns."),
                      Field.required("rowCount", "integer", "Rows with data below it."),
                      Field.required("columns", "array", "The columns that have a name.")
                          .of(
                              Field.required("index", "integer", "Number of the column."),
                              Field.required("header", "string", "Its name."))))
          .spec();

  ExcelAnalyze() {
    super(SPEC);
  }

  @Override
  boolean heavy() {
    return true;
  }

  @Override
  ObjectNode answer(ToolCall call, ExcelMemory memory, CallStop stop) throws Exception {
    var channel = Reach.of(call).open(ToolArgs.of(call).text("filePath"));
    var sheets = JsonNodeFactory.instance.arrayNode();
    if (SourceBook.magic(channel) == FileMagic.OLE2 && !SourceBook.encrypted(channel)) {
      OldWorkbook.describe(channel, sheets);
    } else {
      describe(channel, memory, stop, sheets);
    }
    var result = success("The workbook has " + sheets.size() + " sheet(s).");
    result.set("sheets", sheets);
    return result;
  }

  private static void describe(
      SeekableByteChannel channel, ExcelMemory memory, CallStop stop, ArrayNode sheets)
      throws Exception {
    try (var scratch = Scratch.of(memory);
        var book = SourceBook.open(channel, scratch.path())) {
      var text = book.cellText();
      for (var name : book.sheetNames()) {
        describe(name, SheetSurvey.of(book, name, text, stop), sheets.addObject());
      }
    }
  }

  private static void describe(String name, SheetSurvey survey, ObjectNode sheet) {
    int headerRow = survey.headerRow();
    sheet.put("name", name).put("headerRow", headerRow);
    sheet.put("rowCount", survey.rowsBelow(headerRow));
    var columns = sheet.putArray("columns");
    for (int column = 1; column <= Math.min(survey.lastColumn(), MOST_COLUMNS); column++) {
      var header = survey.header(headerRow, column);
      if (!header.isEmpty()) {
        columns.addObject().put("index", column).put("header", header);
      }
    }
  }
}
