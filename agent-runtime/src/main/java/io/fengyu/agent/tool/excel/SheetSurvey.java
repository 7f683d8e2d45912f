package io.fengyu.agent.tool.excel;

import io.fengyu.agent.tool.ToolException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.poi.openxml4j.exceptions.OpenXML4JException;
import org.xml.sax.SAXException;

/**
 * A first look over a whole sheet: where its header ends, what surrounds its rows, and that it can
 * be read to its end at all.
 *
 * <p>The header ends at the first row in use that no merge of several columns touches; merges of
 * several rows that begin above reach down to it. So a title line over the table, or groups of
 * columns, belong to the header.
 */
final class SheetSurvey implements SheetParser.Sink {

  private static final int HEADER_WITHIN = 24;
  private static final Pattern SCROLLED =
      Pattern.compile(" (tabSelected|topLeftCell|filterMode|codeName)=\"[^\"]*\"");
  private static final Pattern FORMULA =
      Pattern.compile("<(formula[12]?)>(.*?)</formula[12]?>", Pattern.DOTALL);

  private final CellText text;
  private final Stop stop;
  private final TreeMap<Integer, TreeMap<Integer, String>> top = new TreeMap<>();
  private final StringBuilder head = new StringBuilder();
  private final StringBuilder looks = new StringBuilder();
  private final StringBuilder page = new StringBuilder();
  private String filter = "";
  private List<Merge> merges = new ArrayList<>();
  private int rows;
  private int lastColumn;

  private SheetSurvey(CellText text, Stop stop) {
    this.text = text;
    this.stop = stop;
  }

  static SheetSurvey of(SourceBook book, String sheet, CellText text, Stop stop)
      throws IOException, SAXException, ToolException, OpenXML4JException {
    var survey = new SheetSurvey(text, stop);
    book.read(sheet, survey);
    return survey;
  }

  /** Rows that hold something. */
  int rows() {
    return rows;
  }

  /** Rows that hold something, below a row near the top. */
  int rowsBelow(int row) {
    return rows - top.headMap(row, true).size();
  }

  /** Columns up to the last one in use near the top. */
  int lastColumn() {
    return lastColumn;
  }

  List<Merge> merges() {
    return merges;
  }

  /** What comes before the rows. */
  String head() {
    return SCROLLED.matcher(head).replaceAll("");
  }

  /** What comes after the rows when all of them stay where they were. */
  String wholeTail() {
    return filter + Merge.xml(merges) + looks + page;
  }

  /** What comes after the rows when others are gone. */
  String tail(List<Merge> kept) {
    return Merge.xml(kept) + page;
  }

  /** Number of the row that names the columns; 0 for an empty sheet. */
  int headerRow() {
    if (top.isEmpty()) {
      return 0;
    }
    int row = top.firstKey();
    int last = row + HEADER_WITHIN;
    while (row < last) {
      int at = row;
      int reaches =
          merges.stream()
              .filter(merge -> merge.covers(at))
              .mapToInt(Merge::lastRow)
              .max()
              .orElse(at);
      if (merges.stream().noneMatch(merge -> merge.covers(at) && merge.wide())) {
        return Math.min(reaches, last);
      }
      row++;
    }
    return top.firstKey();
  }

  /** What a row calls a column; a merged cell names all columns and rows it covers. */
  String header(int row, int column) {
    var direct = at(row, column);
    if (!direct.isEmpty()) {
      return direct;
    }
    return merges.stream()
        .filter(merge -> merge.covers(row))
        .filter(merge -> merge.firstColumn() <= column && column <= merge.lastColumn())
        .map(merge -> at(merge.firstRow(), merge.firstColumn()))
        .findFirst()
        .orElse("");
  }

  /** The column that is meant by a number from 1, a name in the header row, or letters. */
  int column(String named, int headerRow) throws ToolException {
    if (named.matches("[0-9]{1,5}") && Integer.parseInt(named) >= 1) {
      return Integer.parseInt(named);
    }
    for (int column = 1; column <= lastColumn; column++) {
      if (header(headerRow, column).equals(named.strip())) {
        return column;
      }
    }
    if (named.matches("[A-Za-z]{1,3}")) {
      int column = RowXml.column(named.toUpperCase(Locale.ROOT));
      if (column <= lastColumn) {
        return column;
      }
    }
    throw new ToolException("row " + headerRow + " names no column '" + named + "'");
  }

  private String at(int row, int column) {
    var cells = top.get(row);
    return cells == null ? "" : cells.getOrDefault(column, "");
  }

  @Override
  public void row(SheetRow row) throws IOException {
    stop.check();
    if (row.blank()) {
      return;
    }
    rows++;
    if (top.isEmpty() || row.number <= top.firstKey() + HEADER_WITHIN) {
      var cells = new TreeMap<Integer, String>();
      for (var cell : row.cells) {
        var says = text.of(cell);
        if (!says.isEmpty()) {
          cells.put(cell.column(), says);
          lastColumn = Math.max(lastColumn, cell.column());
        }
      }
      top.put(row.number, cells);
    }
  }

  @Override
  public void part(String name, String xml) {
    switch (name) {
      case "sheetPr", "sheetViews", "sheetFormatPr", "cols" -> head.append(xml);
      case "autoFilter" -> filter = xml;
      case "mergeCells" -> merges = Merge.in(xml);
      case "conditionalFormatting", "dataValidations" -> looks.append(standsAlone(xml) ? xml : "");
      default -> page.append(xml);
    }
  }

  // A rule that looks at another sheet or a name would damage a workbook that has neither.
  private static boolean standsAlone(String xml) {
    return FORMULA
        .matcher(xml)
        .results()
        .allMatch(
            formula -> FormulaText.ofOneSheet(RichText.plain("<t>" + formula.group(2) + "</t>")));
  }
}
