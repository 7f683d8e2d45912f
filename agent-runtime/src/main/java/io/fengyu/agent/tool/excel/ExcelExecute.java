package io.fengyu.agent.tool.excel;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Reach;
import io.fengyu.agent.tool.ToolArgs;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.ToolSpec;
import io.fengyu.agent.tool.excel.Splitter.Made;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.poi.openxml4j.exceptions.OpenXML4JException;
import org.jspecify.annotations.Nullable;
import org.xml.sax.SAXException;

/** Splits the workbook as the run has configured it. */
@Singleton
class ExcelExecute extends ExcelTool {

  private static final ToolSpec SPEC =
      declare(
              "excel_execute",
              "Splits the workbook as configured and writes the files. Cell formats, header rows,"
                  + " column widths and value types are kept; a formula is kept when it only looks"
                  + " at its own row, else its last value. A file that exists is never replaced.")
          .effect(Effect.WRITE)
          .resources(List.of("workbook", "excel_settings"), List.of("output_dir"))
          .label("Split workbook")
          .in(
              Field.optional(
                  "outputDir",
                  "string",
                  "Directory for the files; the plugin's own output folder when left out."),
              Field.optional("filePrefix", "string", "What every file name begins with."))
          .out(
              Field.optional("files", "object", "fileCount, and files as absolute paths."),
              Field.optional("outputDir", "string", "Where the files are."),
              Field.optional("parts", "array", "What went where.")
                  .of(
                      Field.required("value", "string", "What the rows have in common."),
                      Field.required("file", "string", "Name of the file."),
                      Field.required("rows", "integer", "Rows without the header.")))
          .spec();

  ExcelExecute() {
    super(SPEC);
  }

  @Override
  boolean heavy() {
    return true;
  }

  @Override
  ObjectNode answer(ToolCall call, ExcelMemory memory, CallStop stop) throws Exception {
    var settings = memory.read();
    var args = ToolArgs.of(call);
    var prefix = args.optionalText("filePrefix");
    var folder = folder(call, args.optionalText("outputDir"));
    memory.forgetStop();
    memory.write(settings.running());
    try {
      var made =
          split(call, memory, settings, stop, folder, new FileNames(prefix == null ? "" : prefix));
      var result = result(made, folder);
      memory.write(settings.done(result));
      return result;
    } catch (Stop.Stopped e) {
      memory.write(settings.cancelled());
      throw e;
    } catch (ToolException | IOException | SAXException | OpenXML4JException | RuntimeException e) {
      memory.write(settings.failed(explain(e)));
      throw e;
    }
  }

  private static List<Made> split(
      ToolCall call,
      ExcelMemory memory,
      ExcelSettings settings,
      CallStop stop,
      Path folder,
      FileNames names)
      throws ToolException, IOException, SAXException, OpenXML4JException {
    var path = settings.filePath();
    if (settings.mode() == null || path == null) {
      throw new ToolException("nothing is configured: call excel_configure with a filePath first");
    }
    try (var scratch = Scratch.of(memory);
        var book = SourceBook.open(Reach.of(call).open(path), scratch.path());
        var output = new OutputFolder(folder)) {
      var splitter = new Splitter(book, scratch.path(), stop);
      var made = made(settings, book, splitter, output, names);
      stop.check();
      output.keep();
      made.forEach(one -> call.wrote().accept(one.file()));
      return made;
    }
  }

  private static List<Made> made(
      ExcelSettings settings,
      SourceBook book,
      Splitter splitter,
      OutputFolder output,
      FileNames names)
      throws ToolException, IOException, SAXException, OpenXML4JException {
    var mode = settings.mode();
    if (mode == ExcelSettings.Mode.BY_SHEET) {
      var sheets = settings.sheets().isEmpty() ? book.sheetNames() : settings.sheets();
      return splitter.bySheet(sheets, output, names);
    }
    if (mode == ExcelSettings.Mode.BY_COLUMN) {
      return splitter.byValue(List.of(byColumn(settings, book)), output, names);
    }
    if (settings.entries().stream().allMatch(SplitRule::copyEntireSheet)) {
      throw new ToolException("no entry names a column to split by: use excel_complex_config");
    }
    return splitter.byValue(settings.entries(), output, names);
  }

  private static SplitRule byColumn(ExcelSettings settings, SourceBook book) throws ToolException {
    var sheet = settings.splitSheet();
    if (book.sheetNames().isEmpty()) {
      throw new ToolException("the workbook has no sheets");
    }
    return new SplitRule(
        sheet == null || sheet.isBlank() ? book.sheetNames().getFirst() : sheet,
        settings.headerRow(),
        settings.splitColumn(),
        false);
  }

  private static Path folder(ToolCall call, @Nullable String named)
      throws ToolException, IOException {
    return named == null || named.isBlank()
        ? Files.createDirectories(call.outputDir()).toRealPath()
        : Reach.of(call).directory(named);
  }

  private static ObjectNode result(List<Made> made, Path folder) {
    int rows = made.stream().mapToInt(Made::rows).sum();
    var result = success("Wrote " + made.size() + " file(s) with " + rows + " row(s).");
    var files = result.putObject("files").put("fileCount", made.size());
    var paths = files.putArray("files");
    made.forEach(one -> paths.add(one.file().toString()));
    result.put("outputDir", folder.toString());
    var parts = result.putArray("parts");
    for (var one : made) {
      var part = parts.addObject().put("value", one.value());
      part.put("file", String.valueOf(one.file().getFileName())).put("rows", one.rows());
    }
    return result;
  }
}
