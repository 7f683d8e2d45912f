package io.fengyu.launcher.demo;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A workbook as people have them: orders with dates, formulas and texts that look like formulas, a
 * styled header, a sheet with a merged heading and one with a Chinese name.
 */
final class OrderBook {

  static final List<String> REGIONS = List.of("North", "South", "East", "West", "Überlingen");

  private static final String XML = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";
  private static final String MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  private static final String PACKAGE = "http://schemas.openxmlformats.org/package/2006/";
  private static final String OFFICE =
      "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  private static final int FIRST_DAY = 45_658; // 2025-01-01

  private OrderBook() {}

  static void write(Path file, int rows) throws IOException {
    Files.createDirectories(file.getParent());
    try (var zip = new ZipOutputStream(Files.newOutputStream(file))) {
      part(zip, "[Content_Types].xml", contentTypes());
      part(zip, "_rels/.rels", relations(List.of("officeDocument", "xl/workbook.xml")));
      part(
          zip,
          "xl/_rels/workbook.xml.rels",
          relations(
              List.of(
                  "worksheet", "worksheets/sheet1.xml",
                  "worksheet", "worksheets/sheet2.xml",
                  "worksheet", "worksheets/sheet3.xml",
                  "styles", "styles.xml")));
      part(zip, "xl/workbook.xml", workbook());
      part(zip, "xl/styles.xml", styles());
      orders(zip, rows);
      part(zip, "xl/worksheets/sheet2.xml", summary(rows));
      part(
          zip,
          "xl/worksheets/sheet3.xml",
          sheet("<row r=\"1\">" + text("A1", "仅供演示", 0) + "</row>", ""));
    }
  }

  /** How many rows the orders sheet has for a region. */
  static int rowsOf(String region, int rows) {
    var count = 0;
    for (var row = 0; row < rows; row++) {
      count += region(row).equals(region) ? 1 : 0;
    }
    return count;
  }

  private static String region(int row) {
    return REGIONS.get(row % 7 % REGIONS.size());
  }

  private static void orders(ZipOutputStream zip, int rows) throws IOException {
    zip.putNextEntry(new ZipEntry("xl/worksheets/sheet1.xml"));
    print(zip, XML + "<worksheet xmlns=\"" + MAIN + "\"><sheetData><row r=\"1\">");
    var names = List.of("Order", "Date", "Region", "Quantity", "Price", "Total", "Note");
    for (var column = 0; column < names.size(); column++) {
      print(zip, text((char) ('A' + column) + "1", names.get(column), 1));
    }
    print(zip, "</row>");
    for (var row = 0; row < rows; row++) {
      print(zip, order(row));
    }
    print(zip, "</sheetData></worksheet>");
    zip.closeEntry();
  }

  private static String order(int row) {
    var r = row + 2;
    var quantity = 1 + row % 9;
    var price = 5 + row % 40 + 0.25;
    return "<row r=\""
        + r
        + "\">"
        + text("A" + r, String.format("O-%05d", row + 1), 0)
        + number("B" + r, FIRST_DAY + row % 365, 2)
        + text("C" + r, region(row), 0)
        + number("D" + r, quantity, 0)
        + number("E" + r, price, 0)
        + "<c r=\"F"
        + r
        + "\"><f>D"
        + r
        + "*E"
        + r
        + "</f><v>"
        + quantity * price
        + "</v></c>"
        + text("G" + r, row % 100 == 0 ? "=not a formula" : "note " + row, 0)
        + "</row>";
  }

  private static String summary(int rows) {
    return sheet(
        "<row r=\"1\">"
            + text("A1", "Orders of the year", 1)
            + "</row><row r=\"2\">"
            + text("A2", "Rows", 0)
            + "<c r=\"B2\"><f>COUNTA(Orders!A2:A"
            + (rows + 1)
            + ")</f><v>"
            + rows
            + "</v></c></row>",
        "<mergeCells count=\"1\"><mergeCell ref=\"A1:C1\"/></mergeCells>");
  }

  private static String sheet(String rows, String after) {
    return XML
        + "<worksheet xmlns=\""
        + MAIN
        + "\"><sheetData>"
        + rows
        + "</sheetData>"
        + after
        + "</worksheet>";
  }

  private static String workbook() {
    var sheets = new StringBuilder();
    var names = List.of("Orders", "Summary", "说明");
    for (var i = 1; i <= names.size(); i++) {
      sheets.append(
          "<sheet name=\"" + names.get(i - 1) + "\" sheetId=\"" + i + "\" r:id=\"r" + i + "\"/>");
    }
    return XML
        + "<workbook xmlns=\""
        + MAIN
        + "\" xmlns:r=\""
        + OFFICE
        + "\"><sheets>"
        + sheets
        + "</sheets></workbook>";
  }

  private static String styles() {
    return XML
        + "<styleSheet xmlns=\""
        + MAIN
        + "\">"
        + "<fonts count=\"2\"><font><sz val=\"11\"/><name val=\"Calibri\"/></font>"
        + "<font><b/><sz val=\"11\"/><name val=\"Calibri\"/></font></fonts>"
        + "<fills count=\"2\"><fill><patternFill patternType=\"none\"/></fill>"
        + "<fill><patternFill patternType=\"gray125\"/></fill></fills>"
        + "<borders count=\"1\"><border/></borders>"
        + "<cellStyleXfs count=\"1\"><xf/></cellStyleXfs>"
        + "<cellXfs count=\"3\"><xf/><xf fontId=\"1\" applyFont=\"1\"/>"
        + "<xf numFmtId=\"14\" applyNumberFormat=\"1\"/></cellXfs></styleSheet>";
  }

  private static String contentTypes() {
    var sheets = new StringBuilder();
    for (var i = 1; i <= 3; i++) {
      sheets.append(override("/xl/worksheets/sheet" + i + ".xml", "worksheet"));
    }
    return XML
        + "<Types xmlns=\""
        + PACKAGE
        + "content-types\">"
        + "<Default Extension=\"rels\" ContentType="
        + "\"application/vnd.openxmlformats-package.relationships+xml\"/>"
        + override("/xl/workbook.xml", "sheet.main")
        + override("/xl/styles.xml", "styles")
        + sheets
        + "</Types>";
  }

  private static String override(String part, String type) {
    return "<Override PartName=\""
        + part
        + "\" ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml."
        + type
        + "+xml\"/>";
  }

  private static String relations(List<String> typesAndTargets) {
    var relations =
        new StringBuilder(XML + "<Relationships xmlns=\"" + PACKAGE + "relationships\">");
    for (var i = 0; i < typesAndTargets.size(); i += 2) {
      relations.append(
          "<Relationship Id=\"r"
              + (i / 2 + 1)
              + "\" Type=\""
              + OFFICE
              + "/"
              + typesAndTargets.get(i)
              + "\" Target=\""
              + typesAndTargets.get(i + 1)
              + "\"/>");
    }
    return relations + "</Relationships>";
  }

  private static String text(String cell, String value, int style) {
    return "<c r=\""
        + cell
        + "\" s=\""
        + style
        + "\" t=\"inlineStr\"><is><t>"
        + value
        + "</t></is></c>";
  }

  private static String number(String cell, double value, int style) {
    return "<c r=\"" + cell + "\" s=\"" + style + "\"><v>" + value + "</v></c>";
  }

  private static void part(ZipOutputStream zip, String name, String content) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    print(zip, content);
    zip.closeEntry();
  }

  private static void print(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }
}
