package io.fengyu.agent.tool.excel;

import io.fengyu.agent.tool.ToolException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.poi.openxml4j.exceptions.InvalidFormatException;
import org.apache.poi.openxml4j.exceptions.OpenXML4JException;
import org.apache.poi.openxml4j.opc.OPCPackage;
import org.apache.poi.openxml4j.opc.PackagePart;
import org.apache.poi.openxml4j.opc.PackageRelationship;
import org.apache.poi.openxml4j.opc.TargetMode;
import org.apache.poi.poifs.filesystem.FileMagic;
import org.apache.poi.poifs.filesystem.POIFSFileSystem;
import org.jspecify.annotations.Nullable;
import org.xml.sax.Attributes;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/** An .xlsx file that is read as a stream, sheet by sheet. */
final class SourceBook implements AutoCloseable {

  private final OPCPackage opc;
  private final PackagePart main;
  private final Index index;
  private final Path spill;
  private @Nullable StringTable strings;
  private final byte @Nullable [] styles;
  private final byte @Nullable [] theme;

  private SourceBook(OPCPackage opc, Path scratch)
      throws IOException, SAXException, ToolException, OpenXML4JException {
    this.opc = opc;
    main = mainPart(opc);
    index = new Index();
    try (var in = main.getInputStream()) {
      Xml.read(in, index);
    }
    styles = whole("/styles");
    theme = whole("/theme");
    spill = scratch.resolve("texts");
  }

  /**
   * Takes over the channel.
   *
   * @param scratch an existing directory for what does not fit into memory
   */
  static SourceBook open(SeekableByteChannel channel, Path scratch)
      throws IOException, SAXException, ToolException, OpenXML4JException {
    try {
      refuseOthers(channel);
      var opc = OPCPackage.open(GuardedZip.open(channel));
      try {
        return new SourceBook(opc, scratch);
      } catch (IOException
          | SAXException
          | ToolException
          | OpenXML4JException
          | RuntimeException e) {
        opc.revert();
        throw e;
      }
    } catch (IOException | SAXException | ToolException | OpenXML4JException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  List<String> sheetNames() {
    return List.copyOf(index.sheets.keySet());
  }

  boolean from1904() {
    return index.from1904;
  }

  byte @Nullable [] styles() {
    return styles;
  }

  byte @Nullable [] theme() {
    return theme;
  }

  CellText cellText() throws IOException, SAXException {
    return CellText.of(styles == null ? null : new ByteArrayInputStream(styles), from1904());
  }

  /** Reads a sheet; the sink may end it early. */
  void read(String sheet, SheetParser.Sink sink)
      throws IOException, SAXException, ToolException, OpenXML4JException {
    try {
      SheetParser.read(part(sheet).getInputStream(), strings(), sink);
    } catch (SheetParser.Enough e) {
      // The sink has seen what it wanted.
    }
  }

  // Only when cells are read: the texts may be most of the file.
  private StringTable strings()
      throws IOException, SAXException, ToolException, OpenXML4JException {
    if (strings == null) {
      var texts = related("/sharedStrings");
      strings =
          texts == null
              ? StringTable.empty(spill)
              : StringTable.read(texts.getInputStream(), spill);
    }
    return strings;
  }

  private PackagePart part(String sheet) throws ToolException {
    var id = index.sheets.get(sheet);
    if (id == null) {
      throw new ToolException("there is no sheet '" + sheet + "'; there are " + sheetNames());
    }
    var relationship = main.getRelationship(id);
    if (relationship == null || !relationship.getRelationshipType().endsWith("/worksheet")) {
      throw new ToolException("'" + sheet + "' holds no cells");
    }
    return follow(relationship);
  }

  private byte @Nullable [] whole(String type)
      throws IOException, ToolException, OpenXML4JException {
    var part = related(type);
    if (part == null) {
      return null;
    }
    try (var in = part.getInputStream()) {
      return transitional(in.readAllBytes());
    }
  }

  // The strict form of the format differs in its names only; what we write is the usual form.
  private static byte[] transitional(byte[] xml) {
    var text = new String(xml, StandardCharsets.UTF_8);
    if (!text.contains("http://purl.oclc.org/ooxml/")) {
      return xml;
    }
    return text.replace(
            "http://purl.oclc.org/ooxml/spreadsheetml/main",
            "http://schemas.openxmlformats.org/spreadsheetml/2006/main")
        .replace(
            "http://purl.oclc.org/ooxml/drawingml/main",
            "http://schemas.openxmlformats.org/drawingml/2006/main")
        .getBytes(StandardCharsets.UTF_8);
  }

  private @Nullable PackagePart related(String type) throws ToolException, InvalidFormatException {
    for (var relationship : main.getRelationships()) {
      if (relationship.getRelationshipType().endsWith(type)
          && relationship.getTargetMode() == TargetMode.INTERNAL) {
        return follow(relationship);
      }
    }
    return null;
  }

  private PackagePart follow(PackageRelationship relationship) throws ToolException {
    try {
      var part = main.getRelatedPart(relationship);
      if (part != null) {
        return part;
      }
    } catch (InvalidFormatException | IllegalArgumentException e) {
      throw new ToolException("the workbook is damaged: a part of it cannot be found");
    }
    throw new ToolException("the workbook is damaged: a part of it cannot be found");
  }

  private static PackagePart mainPart(OPCPackage opc) throws ToolException {
    for (var relationship : opc.getRelationships()) {
      if (relationship.getRelationshipType().endsWith("/officeDocument")) {
        var part = opc.getPart(relationship);
        if (part != null && part.getContentType().contains("spreadsheetml")) {
          return part;
        }
        if (part != null && part.getContentType().contains("ms-excel")) {
          if (part.getContentType().contains("macroEnabled.main+xml")
              || part.getContentType().contains("template.macroEnabled")) {
            return part;
          }
          throw new ToolException("binary workbooks (.xlsb) are not supported; save it as .xlsx");
        }
      }
    }
    throw new ToolException("the file is no Excel workbook");
  }

  private static void refuseOthers(SeekableByteChannel channel) throws IOException, ToolException {
    switch (magic(channel)) {
      case OOXML -> {
        // What we read.
      }
      case OLE2 -> throw new ToolException(oldOrEncrypted(channel));
      default -> throw new ToolException("the file is no Excel workbook (.xlsx)");
    }
  }

  static FileMagic magic(SeekableByteChannel channel) throws IOException {
    var start = ByteBuffer.allocate(64);
    channel.position(0);
    while (start.hasRemaining() && channel.read(start) > 0) {
      // Until the buffer is full or the file has ended.
    }
    channel.position(0);
    return start.position() < 8 ? FileMagic.UNKNOWN : FileMagic.valueOf(start.array());
  }

  private static String oldOrEncrypted(SeekableByteChannel channel) {
    return encrypted(channel)
        ? "the workbook is protected by a password; save it without one"
        : "old workbooks (.xls) can only be analyzed; save it as .xlsx";
  }

  static boolean encrypted(SeekableByteChannel channel) {
    if (!(channel instanceof FileChannel file)) {
      return false;
    }
    try {
      // Closing it would close the channel, which is all it holds.
      var ole = new POIFSFileSystem(file, true);
      return ole.getRoot().hasEntryCaseInsensitive("EncryptedPackage");
    } catch (IOException | RuntimeException damaged) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    if (strings != null) {
      strings.close();
    }
    opc.revert();
  }

  /** What the workbook says about itself. */
  private static final class Index extends DefaultHandler {

    private static final int MOST_SHEETS = 1_000;

    private final Map<String, String> sheets = new LinkedHashMap<>();
    private boolean from1904;

    @Override
    public void startElement(String uri, String name, String qName, Attributes attributes)
        throws SAXException {
      if (name.equals("workbookPr")) {
        var flag = attributes.getValue("date1904");
        from1904 = "1".equals(flag) || "true".equals(flag);
      } else if (name.equals("sheet")) {
        var sheet = attributes.getValue("name");
        if (sheet != null && sheets.size() < MOST_SHEETS) {
          sheets.put(sheet, relationship(attributes));
        } else {
          throw new SAXException("the workbook's list of sheets makes no sense");
        }
      }
    }

    private static String relationship(Attributes attributes) throws SAXException {
      for (int i = 0; i < attributes.getLength(); i++) {
        if (attributes.getLocalName(i).equals("id") && !attributes.getURI(i).isEmpty()) {
          return attributes.getValue(i);
        }
      }
      throw new SAXException("a sheet has no content");
    }
  }
}
