package io.fengyu.agent.tool.excel;

import io.fengyu.agent.tool.excel.Cell.Formula;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import org.apache.poi.ss.SpreadsheetVersion;
import org.jspecify.annotations.Nullable;
import org.xml.sax.Attributes;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;
import org.xml.sax.helpers.DefaultHandler;

/** Reads a sheet row by row, whatever its length. */
final class SheetParser extends DefaultHandler {

  private static final int LAST_ROW = SpreadsheetVersion.EXCEL2007.getMaxRows();
  private static final int LAST_COLUMN = SpreadsheetVersion.EXCEL2007.getMaxColumns();
  private static final int LONGEST_PLAIN = 1 << 16;
  private static final int LONGEST_SURROUNDINGS = 4 << 20;

  /** Parts before and after the rows that a copy keeps, in the order of the format. */
  private static final Set<String> KEPT =
      Set.of(
          "sheetPr",
          "sheetViews",
          "sheetFormatPr",
          "cols",
          "autoFilter",
          "mergeCells",
          "conditionalFormatting",
          "dataValidations",
          "printOptions",
          "pageMargins",
          "pageSetup",
          "headerFooter");

  private final StringTable strings;
  private final Sink sink;
  private final SheetRow row = new SheetRow();
  private final StringBuilder plain = new StringBuilder();
  private final RichText rich = new RichText();
  private final StringBuilder part = new StringBuilder();

  private int depth;
  private @Nullable String partName;
  private int foreign;
  private boolean inPlain;
  private boolean inRich;

  private int column;
  private int style;
  private String type = "n";
  private @Nullable String value;
  private @Nullable Formula formula;
  private String formulaKind = "normal";
  private int formulaGroup = -1;

  /** Takes what is read. */
  interface Sink {

    /** A row, in ascending order; only good until this returns. */
    void row(SheetRow row) throws IOException, SAXException;

    /** A part before or after the rows, as XML. */
    void part(String name, String xml) throws SAXException;
  }

  /** Ends the reading early, without a failure. */
  static final class Enough extends SAXException {

    private static final long serialVersionUID = 1L;
  }

  private SheetParser(StringTable strings, Sink sink) {
    this.strings = strings;
    this.sink = sink;
  }

  static void read(InputStream sheet, StringTable strings, Sink sink)
      throws IOException, SAXException {
    try (sheet) {
      Xml.read(sheet, new SheetParser(strings, sink));
    }
  }

  @Override
  public void startElement(String uri, String name, String qName, Attributes attributes)
      throws SAXException {
    depth++;
    if (partName != null) {
      partStart(uri, name, attributes);
    } else if (inRich) {
      rich.start(name, attributes);
    } else if (depth == 2 && KEPT.contains(name)) {
      partName = name;
      part.setLength(0);
      partStart(uri, name, attributes);
    } else {
      dataStart(name, attributes);
    }
  }

  private void dataStart(String name, Attributes attributes) throws SAXException {
    switch (name) {
      case "row" -> rowStart(attributes);
      case "c" -> cellStart(attributes);
      case "v" -> plainStart();
      case "f" -> {
        plainStart();
        var kind = attributes.getValue("t");
        formulaKind = kind == null ? "normal" : kind;
        formulaGroup = number(attributes.getValue("si"), -1);
      }
      case "is" -> {
        inRich = true;
        rich.clear();
      }
      default -> {
        // The rest of a sheet is not copied.
      }
    }
  }

  @Override
  public void endElement(String uri, String name, String qName) throws SAXException {
    depth--;
    if (partName != null) {
      partEnd(name);
    } else if (inRich && !name.equals("is")) {
      rich.end(name);
    } else {
      dataEnd(name);
    }
  }

  private void dataEnd(String name) throws SAXException {
    switch (name) {
      case "v" -> {
        value = plain.toString();
        inPlain = false;
      }
      case "f" -> {
        formula = new Formula(plain.toString(), formulaKind, formulaGroup);
        inPlain = false;
      }
      case "is" -> {
        value = rich.xml();
        inRich = false;
      }
      case "c" -> cellEnd();
      case "row" -> rowEnd();
      default -> {
        // See dataStart.
      }
    }
  }

  @Override
  public void characters(char[] chars, int from, int length) throws SAXException {
    if (inPlain) {
      limit(plain.length() + length, LONGEST_PLAIN);
      plain.append(chars, from, length);
    } else if (inRich) {
      rich.characters(chars, from, length);
    } else if (partName != null && foreign == 0) {
      limit(part.length() + length, LONGEST_SURROUNDINGS);
      Xml.text(part, java.nio.CharBuffer.wrap(chars, from, length));
    }
  }

  @Override
  public void fatalError(SAXParseException e) throws SAXException {
    throw e;
  }

  private void rowStart(Attributes attributes) throws SAXException {
    row.number = number(attributes.getValue("r"), row.number + 1);
    if (row.number < 1 || row.number > LAST_ROW) {
      throw new SAXException("a row has the number " + row.number);
    }
    row.cells.clear();
    row.look = attributes(attributes, "ht", "customHeight", "s", "customFormat");
    row.state = attributes(attributes, "hidden", "outlineLevel", "collapsed");
    column = 0;
  }

  private void rowEnd() throws SAXException {
    try {
      sink.row(row);
    } catch (IOException e) {
      throw new SAXException(e);
    }
  }

  private void cellStart(Attributes attributes) throws SAXException {
    var reference = attributes.getValue("r");
    column = reference == null ? column + 1 : RowXml.column(reference);
    if (column < 1 || column > LAST_COLUMN || row.cells.size() >= LAST_COLUMN) {
      throw new SAXException("row " + row.number + " has a column that a workbook cannot have");
    }
    style = number(attributes.getValue("s"), -1);
    var declared = attributes.getValue("t");
    type = declared == null ? "n" : declared;
    value = null;
    formula = null;
  }

  private void cellEnd() throws SAXException {
    if (type.equals("s") && value != null) {
      try {
        value = strings.xml(number(value.strip(), -1));
      } catch (IOException e) {
        throw new SAXException(e);
      }
    } else if (type.equals("inlineStr")) {
      type = "s";
    } else if (value != null && value.isEmpty() && !type.equals("str")) {
      value = null;
    }
    row.cells.add(new Cell(column, style, type, value, formula));
  }

  private void plainStart() {
    inPlain = true;
    plain.setLength(0);
  }

  private void partStart(String uri, String name, Attributes attributes) throws SAXException {
    if (foreign > 0 || !main(uri) || name.equals("extLst") || name.equals("selection")) {
      foreign++;
      return;
    }
    limit(part.length(), LONGEST_SURROUNDINGS);
    Xml.start(part, name, attributes);
  }

  private void partEnd(String name) throws SAXException {
    if (foreign > 0) {
      foreign--;
      return;
    }
    Xml.end(part, name);
    if (depth == 1) {
      sink.part(name, part.toString());
      partName = null;
    }
  }

  private static boolean main(String uri) {
    return uri.endsWith("/spreadsheetml/2006/main") || uri.endsWith("/spreadsheetml/main");
  }

  private static void limit(int length, int most) throws SAXException {
    if (length > most) {
      throw new SAXException("the sheet holds a text that is longer than a workbook allows");
    }
  }

  private static String attributes(Attributes attributes, String... names) {
    var kept = new StringBuilder();
    for (var name : names) {
      var given = attributes.getValue(name);
      if (given != null) {
        Xml.attribute(kept, name, given);
      }
    }
    return kept.toString();
  }

  private static int number(@Nullable String digits, int absent) throws SAXException {
    if (digits == null) {
      return absent;
    }
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      throw new SAXException("the sheet holds '" + digits + "' where a number belongs");
    }
  }
}
