package io.fengyu.agent.tool.excel;

import java.io.IOException;
import java.io.InputStream;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.poi.util.XMLHelper;
import org.xml.sax.Attributes;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/** Reads XML piece by piece, without document types and entities, and writes it. */
final class Xml {

  private Xml() {}

  static void read(InputStream in, DefaultHandler handler) throws IOException, SAXException {
    try {
      var reader = XMLHelper.newXMLReader();
      reader.setContentHandler(handler);
      reader.setErrorHandler(handler);
      reader.parse(new InputSource(in));
    } catch (SAXException e) {
      // A handler can only fail this way; what failed is the file or the caller's patience.
      if (e.getException() instanceof IOException cause) {
        throw cause;
      }
      throw e;
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException("this Java cannot read XML", e);
    }
  }

  /**
   * Writes a start tag with the attributes that belong to the format itself; those of extensions
   * refer to parts that are not copied.
   */
  static void start(StringBuilder out, String name, Attributes attributes) {
    out.append('<').append(name);
    for (int i = 0; i < attributes.getLength(); i++) {
      if (attributes.getURI(i).isEmpty()) {
        attribute(out, attributes.getLocalName(i), attributes.getValue(i));
      } else if (attributes.getQName(i).equals("xml:space")) {
        attribute(out, "xml:space", attributes.getValue(i));
      }
    }
    out.append('>');
  }

  static void end(StringBuilder out, String name) {
    out.append("</").append(name).append('>');
  }

  static void attribute(StringBuilder out, String name, String value) {
    out.append(' ').append(name).append("=\"");
    text(out, value);
    out.append('"');
  }

  static void text(StringBuilder out, CharSequence text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        case '\r' -> out.append("&#13;");
        case '\n' -> out.append("&#10;");
        case '\t' -> out.append("&#9;");
        default -> out.append(c);
      }
    }
  }

  static String escaped(CharSequence text) {
    var out = new StringBuilder(text.length() + 16);
    text(out, text);
    return out.toString();
  }
}
