package io.fengyu.agent.tool.excel;

import io.fengyu.agent.tool.ToolException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.SeekableByteChannel;
import java.util.Enumeration;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;
import org.apache.poi.openxml4j.util.ZipEntrySource;
import org.jspecify.annotations.Nullable;

/**
 * A zip whose entries cannot grow without a limit while they are read, whatever sizes it claims.
 * Only sheets and their texts may be big: they are streamed, all else is held in memory.
 */
final class GuardedZip implements ZipEntrySource {

  private static final int MOST_ENTRIES = 10_000;
  private static final long LARGEST_SHEET = 2L << 30;
  private static final long LARGEST_PART = 16L << 20;
  // What compresses better than this is no table; small entries may, they do no harm.
  private static final long HIGHEST_RATIO = 200;
  private static final long HARMLESS = 64L << 20;

  private final ZipFile zip;
  private boolean closed;

  private GuardedZip(ZipFile zip) {
    this.zip = zip;
  }

  /** Takes over the channel and closes it with the zip. */
  static GuardedZip open(SeekableByteChannel channel) throws IOException, ToolException {
    var zip = new GuardedZip(directory(channel));
    var entries = 0;
    for (var all = zip.getEntries(); all.hasMoreElements(); all.nextElement()) {
      if (++entries > MOST_ENTRIES) {
        zip.close();
        throw new ToolException("the file holds more than " + MOST_ENTRIES + " parts");
      }
    }
    return zip;
  }

  private static ZipFile directory(SeekableByteChannel channel) throws ToolException {
    try {
      return ZipFile.builder().setSeekableByteChannel(channel).get();
    } catch (IOException e) {
      throw new ToolException("the workbook is damaged: it is no complete zip file");
    }
  }

  @Override
  public Enumeration<? extends ZipArchiveEntry> getEntries() {
    return zip.getEntries();
  }

  @Override
  public @Nullable ZipArchiveEntry getEntry(String path) {
    return zip.getEntry(path.startsWith("/") ? path.substring(1) : path);
  }

  @Override
  public InputStream getInputStream(ZipArchiveEntry entry) throws IOException {
    if (entry.getGeneralPurposeBit().usesEncryption()) {
      throw new IOException("the file holds encrypted parts");
    }
    return new Limited(zip.getInputStream(entry), limit(entry), entry.getCompressedSize());
  }

  @Override
  public void close() throws IOException {
    closed = true;
    zip.close();
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  private static long limit(ZipArchiveEntry entry) {
    var name = entry.getName();
    var streamed = name.contains("worksheets/sheet") || name.contains("sharedStrings");
    return streamed || name.matches("(?i).*worksheets/[^/]+\\.xml") ? LARGEST_SHEET : LARGEST_PART;
  }

  /** Fails as soon as more comes out than is allowed. */
  private static final class Limited extends FilterInputStream {

    private final long limit;
    private final long compressed;
    private long seen;

    Limited(InputStream in, long limit, long compressed) {
      super(in);
      this.limit = limit;
      this.compressed = Math.max(1, compressed);
    }

    @Override
    public int read() throws IOException {
      int one = super.read();
      return one < 0 ? one : count(1, one);
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      int many = super.read(bytes, from, length);
      return many < 0 ? many : count(many, many);
    }

    @Override
    public boolean markSupported() {
      return false;
    }

    private int count(int more, int result) throws IOException {
      seen += more;
      if (seen > limit || (seen > HARMLESS && seen / compressed > HIGHEST_RATIO)) {
        throw new ZipBombException();
      }
      return result;
    }
  }

  /** More came out of the file than any workbook holds. */
  static final class ZipBombException extends IOException {

    private static final long serialVersionUID = 1L;

    ZipBombException() {
      super("the file unpacks to far more than it should (a zip bomb?)");
    }
  }
}
