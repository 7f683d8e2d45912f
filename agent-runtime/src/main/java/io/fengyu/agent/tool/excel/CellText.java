package io.fengyu.agent.tool.excel;

import java.io.IOException;
import java.io.InputStream;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.poi.ss.usermodel.BuiltinFormats;
import org.apache.poi.ss.usermodel.DateUtil;
import org.jspecify.annotations.Nullable;
import org.xml.sax.Attributes;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/** What a cell says, as the name of a group: the same for the same value, however it was stored. */
final class CellText extends DefaultHandler {

  private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("uuuu-MM-dd");
  private static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH.mm.ss");
  private static final double LARGEST_WHOLE = 1e15;

  private final boolean from1904;
  private final Map<Integer, String> formats = new HashMap<>();
  private final List<Boolean> dates = new ArrayList<>();
  private boolean inCellFormats;

  private CellText(boolean from1904) {
    this.from1904 = from1904;
  }

  /** Knows from the styles which numbers are dates. */
  static CellText of(@Nullable InputStream styles, boolean from1904)
      throws IOException, SAXException {
    var text = new CellText(from1904);
    if (styles != null) {
      Xml.read(styles, text);
    }
    return text;
  }

  /** Stripped; empty for a cell that is not there or says nothing. */
  String of(@Nullable Cell cell) {
    var value = cell == null ? null : cell.value();
    if (cell == null || value == null) {
      return "";
    }
    return switch (cell.type()) {
      case "s" -> RichText.plain(value).strip();
      case "n" -> number(value.strip(), cell.style());
      case "b" -> value.strip().equals("1") ? "TRUE" : "FALSE";
      default -> value.strip();
    };
  }

  private String number(String value, int style) {
    try {
      double number = Double.parseDouble(value);
      if (style >= 0
          && style < dates.size()
          && dates.get(style)
          && DateUtil.isValidExcelDate(number)) {
        return date(number);
      }
      return Math.abs(number) < LARGEST_WHOLE && number == Math.rint(number)
          ? Long.toString((long) number)
          : Double.toString(number);
    } catch (NumberFormatException e) {
      return value;
    }
  }

  private String date(double number) {
    var moment = DateUtil.getLocalDateTime(number, from1904);
    return (number == Math.rint(number) ? DAY : MOMENT).format(moment);
  }

  @Override
  public void startElement(String uri, String name, String qName, Attributes attributes) {
    switch (name) {
      case "numFmt" -> formats.put(id(attributes), attributes.getValue("formatCode"));
      case "cellXfs" -> inCellFormats = true;
      case "xf" -> {
        if (inCellFormats) {
          dates.add(isDate(id(attributes)));
        }
      }
      default -> {
        // Fonts and colours say nothing about values.
      }
    }
  }

  @Override
  public void endElement(String uri, String name, String qName) {
    if (name.equals("cellXfs")) {
      inCellFormats = false;
    }
  }

  private boolean isDate(int format) {
    var code = formats.get(format);
    if (code == null && format >= 0 && format < BuiltinFormats.FIRST_USER_DEFINED_FORMAT_INDEX) {
      code = BuiltinFormats.getBuiltinFormat(format);
    }
    return code != null && DateUtil.isADateFormat(format, code);
  }

  private static int id(Attributes attributes) {
    var id = attributes.getValue("numFmtId");
    return id != null && id.matches("[0-9]{1,9}") ? Integer.parseInt(id) : 0;
  }
}
