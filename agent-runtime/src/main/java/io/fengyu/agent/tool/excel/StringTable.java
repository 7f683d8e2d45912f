package io.fengyu.agent.tool.excel;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.xml.sax.Attributes;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * The texts that cells point to, kept in a file: a workbook may hold more of them than there is
 * memory. Only where each begins is kept in memory, eight bytes a text.
 */
final class StringTable implements AutoCloseable {

  private static final int MOST_TEXTS = 8_000_000;
  private static final int CACHED = 1 << 12;

  private final FileChannel file;
  private final long[] begins;
  private final int count;
  // Most cells of a table repeat the texts of few others; a slot holds the last text that fell in.
  private final int[] cachedIndex = new int[CACHED];
  private final String[] cached = new String[CACHED];

  private StringTable(FileChannel file, long[] begins, int count) {
    this.file = file;
    this.begins = begins;
    this.count = count;
    Arrays.fill(cachedIndex, -1);
  }

  /** Reads the part; the file at {@code spill} is the caller's to remove. */
  static StringTable read(InputStream part, Path spill) throws IOException, SAXException {
    var handler = new Handler(spill);
    try (part;
        handler) {
      Xml.read(part, handler);
    }
    return new StringTable(
        FileChannel.open(spill, StandardOpenOption.READ), handler.begins, handler.count);
  }

  /** A table without texts. */
  static StringTable empty(Path spill) throws IOException {
    Files.write(spill, new byte[0]);
    return new StringTable(FileChannel.open(spill, StandardOpenOption.READ), new long[1], 0);
  }

  /** The text of an index, as XML. */
  String xml(int index) throws IOException, SAXException {
    if (index < 0 || index >= count) {
      throw new SAXException("a cell points to a text that is not there");
    }
    int slot = index & (CACHED - 1);
    if (cachedIndex[slot] != index) {
      cached[slot] = load(index);
      cachedIndex[slot] = index;
    }
    return cached[slot];
  }

  private String load(int index) throws IOException {
    var bytes = ByteBuffer.allocate((int) (begins[index + 1] - begins[index]));
    long at = begins[index];
    while (bytes.hasRemaining()) {
      int read = file.read(bytes, at + bytes.position());
      if (read < 0) {
        throw new IOException("the table of texts was cut off");
      }
    }
    return new String(bytes.array(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  private static final class Handler extends DefaultHandler implements AutoCloseable {

    private final OutputStream out;
    private final RichText text = new RichText();
    private long[] begins = new long[1024];
    private int count;
    private long size;
    private boolean inItem;

    Handler(Path spill) throws IOException {
      out = new BufferedOutputStream(Files.newOutputStream(spill), 1 << 16);
    }

    @Override
    public void startElement(String uri, String name, String qName, Attributes attributes) {
      if (inItem) {
        text.start(name, attributes);
      } else if (name.equals("si")) {
        inItem = true;
        text.clear();
      }
    }

    @Override
    public void endElement(String uri, String name, String qName) throws SAXException {
      if (inItem && name.equals("si")) {
        inItem = false;
        add(text.xml());
      } else if (inItem) {
        text.end(name);
      }
    }

    @Override
    public void characters(char[] chars, int from, int length) throws SAXException {
      if (inItem) {
        text.characters(chars, from, length);
      }
    }

    private void add(String xml) throws SAXException {
      if (count == MOST_TEXTS) {
        throw new SAXException("the workbook holds more than " + MOST_TEXTS + " different texts");
      }
      try {
        var bytes = xml.getBytes(StandardCharsets.UTF_8);
        out.write(bytes);
        size += bytes.length;
      } catch (IOException e) {
        throw new SAXException(e);
      }
      if (++count == begins.length) {
        begins = Arrays.copyOf(begins, begins.length * 2);
      }
      begins[count] = size;
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }
}
