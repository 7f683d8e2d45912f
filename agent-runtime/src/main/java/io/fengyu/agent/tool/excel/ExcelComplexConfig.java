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
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the rules of a split over several sheets. */
@Singleton
class ExcelComplexConfig extends ExcelTool {

  private static final int MOST_ENTRIES = 100;

  private static final ToolSpec SPEC =
      declare(
              "excel_complex_config",
              "Adds to, lists or clears the entries of a split over several sheets. Each entry is"
                  + " one sheet: its rows go to the file of the value in columnIndex, below the"
                  + " header that ends at row headerIndex; -1 for both, or copyEntireSheet, puts the"
                  + " whole sheet into every file. Numbers start at 1.")
          .effect(Effect.WRITE)
          .resources(List.of("workbook"), List.of("excel_settings"))
          .label("Configure split of several sheets")
          .in(
              Field.required("action", "string", "What to do.").oneOf("add", "list", "clear"),
              Field.optional("filePath", "file", "The workbook (.xlsx)."),
              Field.optional("entries", "array", "Entries to add.")
                  .of(
                      Field.required("sheetName", "string", "Name of the sheet."),
                      Field.optional("headerIndex", "integer", "Last row of the header."),
                      Field.optional("columnIndex", "integer", "Column to split by."),
                      Field.optional("copyEntireSheet", "boolean", "Whole sheet to every file.")))
          .out(
              Field.optional("entries", "array", "The entries there are now.")
                  .of(
                      Field.required("sheetName", "string", "Name of the sheet."),
                      Field.required("headerIndex", "integer", "Last row of the header."),
                      Field.required("columnIndex", "integer", "Column to split by."),
                      Field.required("copyEntireSheet", "boolean", "Whole sheet to every file.")))
          .spec();

  ExcelComplexConfig() {
    super(relaxed(SPEC));
  }

  // Forms also send {"sheet","column"}, with the name of a column.
  private static ToolSpec relaxed(ToolSpec spec) {
    var items = (ObjectNode) spec.inputSchema().at("/properties/entries/items");
    items.remove("required");
    return spec;
  }

  @Override
  ObjectNode answer(ToolCall call, ExcelMemory memory, CallStop stop) throws Exception {
    var args = ToolArgs.of(call);
    var before = memory.read();
    return switch (args.text("action")) {
      case "list" -> listed("There are " + before.entries().size() + " entries.", before.entries());
      case "clear" -> {
        memory.write(before.complex(before.filePath(), List.of()));
        yield listed("The entries are cleared.", List.of());
      }
      case "add" -> add(call, args, memory, before);
      default -> throw new ToolException("argument 'action' must be add, list or clear");
    };
  }

  private static ObjectNode add(
      ToolCall call, ToolArgs args, ExcelMemory memory, ExcelSettings before) throws Exception {
    var file = args.optionalText("filePath");
    var path = file == null ? before.filePath() : file;
    var entries = new ArrayList<>(before.entries());
    entries.addAll(rules(args.given("entries")));
    if (entries.size() > MOST_ENTRIES) {
      throw new ToolException("there may be at most " + MOST_ENTRIES + " entries");
    }
    if (path != null) {
      checkSheets(call, memory, path, entries);
    }
    memory.write(before.complex(path, entries));
    return listed("There are " + entries.size() + " entries.", entries);
  }

  private static void checkSheets(
      ToolCall call, ExcelMemory memory, String path, List<SplitRule> entries) throws Exception {
    try (var scratch = Scratch.of(memory);
        var book = SourceBook.open(Reach.of(call).open(path), scratch.path())) {
      for (var entry : entries) {
        if (!book.sheetNames().contains(entry.sheetName())) {
          throw new ToolException(
              "there is no sheet '" + entry.sheetName() + "'; there are " + book.sheetNames());
        }
      }
    }
  }

  private static List<SplitRule> rules(@Nullable JsonNode given) throws ToolException {
    if (given == null || !given.isArray() || given.isEmpty()) {
      throw new ToolException("argument 'entries' must be a list that is not empty");
    }
    var rules = new ArrayList<SplitRule>();
    for (var entry : given) {
      rules.add(rule(entry));
    }
    return rules;
  }

  private static SplitRule rule(JsonNode entry) throws ToolException {
    var sheet = entry.path("sheetName").asText(entry.path("sheet").asText());
    if (sheet.isBlank()) {
      throw new ToolException("an entry has no sheetName");
    }
    var column = entry.hasNonNull("columnIndex") ? entry.get("columnIndex") : entry.path("column");
    int header = entry.path("headerIndex").asInt(0);
    boolean whole = header == -1 && column.asInt(0) == -1;
    if (entry.path("copyEntireSheet").asBoolean() || whole) {
      return SplitRule.whole(sheet);
    }
    if (column.asText().isBlank() || header < 0 || (column.isNumber() && column.asInt() < 1)) {
      throw new ToolException(
          "the entry for sheet '" + sheet + "' needs a columnIndex of 1 or more");
    }
    return new SplitRule(sheet, header, column.asText(), false);
  }

  private static ObjectNode listed(String summary, List<SplitRule> rules) {
    var result = success(summary);
    var entries = result.putArray("entries");
    for (var rule : rules) {
      var entry = entries.addObject().put("sheetName", rule.sheetName());
      entry.put("headerIndex", rule.headerIndex());
      var column = rule.column();
      if (column == null) {
        entry.put("columnIndex", -1);
      } else if (column.matches("[0-9]{1,5}")) {
        entry.put("columnIndex", Integer.parseInt(column));
      } else {
        entry.put("columnIndex", 0).put("column", column);
      }
      entry.put("copyEntireSheet", rule.copyEntireSheet());
    }
    return result;
  }
}
