package io.fengyu.agent.tool.excel;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Writes workbooks that look like the one they come from: its styles and theme are taken over as
 * they are, so that every cell keeps its format by keeping its number.
 */
final class BookWriter {

  private static final String HEAD =
      "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
  private static final String TYPES = "application/vnd.openxmlformats-officedocument.";
  private static final String RELATIONS =
      "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

  private final SourceBook source;

  BookWriter(SourceBook source) {
    this.source = source;
  }

  /** Writes the content of one sheet. */
  interface Sheet {

    String name();

    void writeTo(OutputStream out) throws IOException;
  }

  void write(Path file, List<Sheet> sheets) throws IOException {
    try (var zip =
        new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 16))) {
      put(zip, "[Content_Types].xml", contentTypes(sheets.size()));
      put(zip, "_rels/.rels", relations(relation(1, "officeDocument", "xl/workbook.xml")));
      put(zip, "xl/workbook.xml", workbook(sheets));
      put(zip, "xl/_rels/workbook.xml.rels", workbookRelations(sheets.size()));
      var styles = source.styles();
      if (styles != null) {
        put(zip, "xl/styles.xml", styles);
      }
      var theme = source.theme();
      if (theme != null) {
        put(zip, "xl/theme/theme1.xml", theme);
      }
      for (int i = 0; i < sheets.size(); i++) {
        zip.putNextEntry(new ZipEntry("xl/worksheets/sheet" + (i + 1) + ".xml"));
        sheets.get(i).writeTo(zip);
        zip.closeEntry();
      }
    }
  }

  private String contentTypes(int sheets) {
    var out = new StringBuilder(HEAD);
    out.append("<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">");
    out.append(
        "<Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>");
    out.append("<Default Extension=\"xml\" ContentType=\"application/xml\"/>");
    override(out, "/xl/workbook.xml", "spreadsheetml.sheet.main+xml");
    for (int i = 1; i <= sheets; i++) {
      override(out, "/xl/worksheets/sheet" + i + ".xml", "spreadsheetml.worksheet+xml");
    }
    if (source.styles() != null) {
      override(out, "/xl/styles.xml", "spreadsheetml.styles+xml");
    }
    if (source.theme() != null) {
      override(out, "/xl/theme/theme1.xml", "theme+xml");
    }
    return out.append("</Types>").toString();
  }

  private static void override(StringBuilder out, String part, String type) {
    out.append("<Override PartName=\"").append(part).append("\" ContentType=\"");
    out.append(TYPES).append(type).append("\"/>");
  }

  private String workbook(List<Sheet> sheets) {
    var out = new StringBuilder(HEAD);
    out.append("<workbook xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"");
    out.append(" xmlns:r=\"").append(RELATIONS).append("\"><workbookPr");
    out.append(source.from1904() ? " date1904=\"1\"" : "").append("/><sheets>");
    for (int i = 0; i < sheets.size(); i++) {
      out.append("<sheet");
      Xml.attribute(out, "name", sheets.get(i).name());
      out.append(" sheetId=\"").append(i + 1).append("\" r:id=\"rId").append(i + 1).append("\"/>");
    }
    return out.append("</sheets></workbook>").toString();
  }

  private String workbookRelations(int sheets) {
    var all = new StringBuilder();
    for (int i = 1; i <= sheets; i++) {
      all.append(relation(i, "worksheet", "worksheets/sheet" + i + ".xml"));
    }
    if (source.styles() != null) {
      all.append(relation(sheets + 1, "styles", "styles.xml"));
    }
    if (source.theme() != null) {
      all.append(relation(sheets + 2, "theme", "theme/theme1.xml"));
    }
    return relations(all.toString());
  }

  private static String relation(int id, String type, String target) {
    return "<Relationship Id=\"rId%d\" Type=\"%s/%s\" Target=\"%s\"/>"
        .formatted(id, RELATIONS, type, target);
  }

  private static String relations(String all) {
    return HEAD
        + "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">"
        + all
        + "</Relationships>";
  }

  private static void put(ZipOutputStream zip, String name, String text) throws IOException {
    put(zip, name, text.getBytes(StandardCharsets.UTF_8));
  }

  private static void put(ZipOutputStream zip, String name, byte[] bytes) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(bytes);
    zip.closeEntry();
  }
}
