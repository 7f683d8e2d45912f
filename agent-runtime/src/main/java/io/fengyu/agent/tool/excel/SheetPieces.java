package io.fengyu.agent.tool.excel;

import io.fengyu.agent.tool.ToolException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.poi.openxml4j.exceptions.OpenXML4JException;
import org.jspecify.annotations.Nullable;
import org.xml.sax.SAXException;

/** One sheet, taken apart: its header, and the rows of each value. */
final class SheetPieces implements SheetParser.Sink {

  private static final long IN_MEMORY = 8L << 20;

  /** Group of the whole sheet, when it is not taken apart. */
  private static final String ALL = "";

  private final SplitRule rule;
  private final Path scratch;
  private final int number;
  private final int mostValues;
  private final Stop stop;
  private final SheetSurvey survey;
  private final CellText text;
  private final RowXml xml;
  private final int headerRow;
  private final int column;
  private final Map<String, Group> groups = new LinkedHashMap<>();
  private final Map<Integer, List<Merge>> rowMerges = new HashMap<>();
  private final StringBuilder header = new StringBuilder();
  private long inMemory;

  private SheetPieces(
      SourceBook book, SplitRule rule, Path scratch, int number, int mostValues, Stop stop)
      throws IOException, SAXException, ToolException, OpenXML4JException {
    this.rule = rule;
    this.scratch = scratch;
    this.number = number;
    this.mostValues = mostValues;
    this.stop = stop;
    text = book.cellText();
    survey = SheetSurvey.of(book, rule.sheetName(), text, stop);
    xml = new RowXml(book.styles() != null);
    headerRow = rule.headerIndex() > 0 ? rule.headerIndex() : survey.headerRow();
    column = column(rule.column());
    survey.merges().stream()
        .filter(merge -> merge.firstRow() > headerRow && merge.firstRow() == merge.lastRow())
        .forEach(
            merge ->
                rowMerges.computeIfAbsent(merge.firstRow(), row -> new ArrayList<>()).add(merge));
  }

  static SheetPieces of(
      SourceBook book, SplitRule rule, Path scratch, int number, int mostValues, Stop stop)
      throws IOException, SAXException, ToolException, OpenXML4JException {
    var pieces = new SheetPieces(book, rule, scratch, number, mostValues, stop);
    try {
      book.read(rule.sheetName(), pieces);
    } catch (TooManyValues e) {
      throw new ToolException(
          "column '"
              + rule.column()
              + "' of '"
              + rule.sheetName()
              + "' holds more than "
              + mostValues
              + " different values");
    }
    return pieces;
  }

  String sheetName() {
    return rule.sheetName();
  }

  /** The values found, in the order they first appear; empty text stands for blank cells. */
  Set<String> values() {
    return rule.copyEntireSheet() ? Set.of() : groups.keySet();
  }

  int rows(String value) {
    var group = groups.get(rule.copyEntireSheet() ? ALL : value);
    return group == null ? 0 : group.rows();
  }

  /** Writes the sheet for one value: all of it when it is not taken apart. */
  void write(String value, OutputStream out) throws IOException {
    var group = groups.get(rule.copyEntireSheet() ? ALL : value);
    put(out, "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n");
    put(out, "<worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\">");
    put(out, survey.head());
    put(out, "<sheetData>");
    put(out, header);
    if (group != null) {
      group.copyTo(out);
    }
    put(out, "</sheetData>");
    put(out, rule.copyEntireSheet() ? survey.wholeTail() : survey.tail(merges(group)));
    put(out, "</worksheet>");
  }

  /** Frees what a value took. */
  void done(String value) throws IOException {
    var group = rule.copyEntireSheet() ? null : groups.get(value);
    if (group != null) {
      group.done();
    }
  }

  @Override
  public void row(SheetRow row) throws IOException, SAXException {
    stop.check();
    xml.seen(row);
    if (rule.copyEntireSheet()) {
      add(group(ALL), xml.same(row), List.of());
    } else if (row.number <= headerRow) {
      header.append(xml.same(row));
    } else if (!row.blank()) {
      var group = group(text.of(row.at(column)));
      var merges = rowMerges.getOrDefault(row.number, List.of());
      add(group, xml.moved(row, group.nextRow()), merges);
    }
  }

  @Override
  public void part(String name, String xml) {
    // The survey has them.
  }

  private int column(@Nullable String named) throws ToolException {
    return named == null ? 0 : survey.column(named, headerRow);
  }

  private Group group(String value) throws SAXException {
    var known = groups.get(value);
    if (known != null) {
      return known;
    }
    if (groups.size() >= mostValues) {
      throw new TooManyValues();
    }
    var spill = scratch.resolve("rows-" + number + "-" + groups.size());
    var group = new Group(spill, headerRow + 1);
    groups.put(value, group);
    return group;
  }

  private void add(Group group, String rowXml, List<Merge> merges) throws IOException {
    inMemory += group.add(rowXml, merges);
    if (inMemory > IN_MEMORY) {
      for (var each : groups.values()) {
        each.toDisk();
      }
      inMemory = 0;
    }
  }

  private List<Merge> merges(@Nullable Group group) {
    var kept = new ArrayList<Merge>();
    survey.merges().stream().filter(merge -> merge.lastRow() <= headerRow).forEach(kept::add);
    if (group != null) {
      kept.addAll(group.merges());
    }
    return kept;
  }

  private static void put(OutputStream out, CharSequence text) throws IOException {
    out.write(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static final class TooManyValues extends SAXException {
    private static final long serialVersionUID = 1L;
  }
}
