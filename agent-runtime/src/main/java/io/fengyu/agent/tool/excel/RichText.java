package io.fengyu.agent.tool.excel;

import org.xml.sax.Attributes;
import org.xml.sax.SAXException;

/**
 * Collects the text of one cell as it stands in the file, with the formats of its runs but without
 * reading aids, so that it can be written again unchanged.
 */
final class RichText {

  // A cell holds at most 32767 characters; the rest is for formats and escapes.
  private static final int LONGEST = 1 << 20;

  private final StringBuilder xml = new StringBuilder();
  private int aids;
  private boolean inText;

  void clear() {
    xml.setLength(0);
    aids = 0;
    inText = false;
  }

  void start(String name, Attributes attributes) {
    if (aids > 0 || name.equals("rPh") || name.equals("phoneticPr") || name.equals("extLst")) {
      aids++;
      return;
    }
    Xml.start(xml, name, attributes);
    inText = name.equals("t");
  }

  void end(String name) {
    if (aids > 0) {
      aids--;
      return;
    }
    Xml.end(xml, name);
    inText = false;
  }

  void characters(char[] chars, int from, int length) throws SAXException {
    if (aids == 0 && inText) {
      if (xml.length() + length > LONGEST) {
        throw new SAXException("a cell holds more text than a workbook allows");
      }
      Xml.text(xml, java.nio.CharBuffer.wrap(chars, from, length));
    }
  }

  String xml() {
    return xml.toString();
  }

  /** One plain run. */
  static String of(String text) {
    return "<t xml:space=\"preserve\">" + Xml.escaped(text) + "</t>";
  }

  /** The characters a reader sees. */
  static String plain(String xml) {
    var text = new StringBuilder();
    int at = 0;
    while ((at = startOfText(xml, at)) >= 0) {
      int from = xml.indexOf('>', at) + 1;
      int to = xml.indexOf("</t>", from);
      text.append(xml, from, to);
      at = to;
    }
    return unescape(text.toString());
  }

  private static int startOfText(String xml, int from) {
    int plain = xml.indexOf("<t>", from);
    int spaced = xml.indexOf("<t ", from);
    return plain < 0 ? spaced : spaced < 0 ? plain : Math.min(plain, spaced);
  }

  private static String unescape(String text) {
    if (text.indexOf('&') < 0) {
      return text;
    }
    return text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#13;", "\r")
        .replace("&#10;", "\n")
        .replace("&#9;", "\t")
        .replace("&amp;", "&");
  }
}
