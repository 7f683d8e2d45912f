package io.fengyu.agent.tool.excel;

import io.fengyu.agent.tool.ToolException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.apache.poi.openxml4j.exceptions.OpenXML4JException;
import org.xml.sax.SAXException;

/**
 * Takes a workbook apart in two passes: rows first wait on disk by their value, then one file after
 * the other is written. Memory does not grow with the number of rows.
 */
final class Splitter {

  private static final int MOST_FILES = 5_000;

  private final SourceBook book;
  private final Path scratch;
  private final Stop stop;

  Splitter(SourceBook book, Path scratch, Stop stop) {
    this.book = book;
    this.scratch = scratch;
    this.stop = stop;
  }

  /**
   * One file made.
   *
   * @param value what its rows have in common; the sheet's name when files are sheets
   * @param rows without headers; of whole sheets, all
   */
  record Made(String value, Path file, int rows) {}

  /** One file a sheet. */
  List<Made> bySheet(List<String> sheets, OutputFolder output, FileNames names)
      throws IOException, SAXException, ToolException, OpenXML4JException {
    var made = new ArrayList<Made>();
    for (int i = 0; i < sheets.size(); i++) {
      var sheet = sheets.get(i);
      var pieces = pieces(SplitRule.whole(sheet), i);
      made.add(file(sheet, List.of(pieces), output, names));
    }
    return made;
  }

  /** One file a value; each rule adds a sheet to every file. */
  List<Made> byValue(List<SplitRule> rules, OutputFolder output, FileNames names)
      throws IOException, SAXException, ToolException, OpenXML4JException {
    var sheets = new ArrayList<SheetPieces>();
    var values = new LinkedHashSet<String>();
    for (var rule : rules) {
      var pieces = pieces(rule, sheets.size());
      sheets.add(pieces);
      values.addAll(pieces.values());
    }
    if (values.isEmpty()) {
      throw new ToolException("there are no rows to split below the header");
    }
    if (values.size() > MOST_FILES) {
      throw new ToolException("the split would make more than " + MOST_FILES + " files");
    }
    var made = new ArrayList<Made>();
    for (var value : values) {
      made.add(file(value, sheets, output, names));
    }
    return made;
  }

  private SheetPieces pieces(SplitRule rule, int number)
      throws IOException, SAXException, ToolException, OpenXML4JException {
    return SheetPieces.of(book, rule, scratch, number, MOST_FILES, stop);
  }

  private Made file(String value, List<SheetPieces> sheets, OutputFolder output, FileNames names)
      throws IOException {
    stop.check();
    var writer = new BookWriter(book);
    var content =
        sheets.stream().<BookWriter.Sheet>map(pieces -> new OneSheet(pieces, value)).toList();
    var file = output.add(names.next(value), hidden -> writer.write(hidden, content));
    int rows = 0;
    for (var pieces : sheets) {
      rows += pieces.rows(value);
      pieces.done(value);
    }
    return new Made(value, file, rows);
  }

  private record OneSheet(SheetPieces pieces, String value) implements BookWriter.Sheet {

    @Override
    public String name() {
      return pieces.sheetName();
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      pieces.write(value, out);
    }
  }
}
