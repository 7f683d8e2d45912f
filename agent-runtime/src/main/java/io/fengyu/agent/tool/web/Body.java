package io.fengyu.agent.tool.web;

import io.fengyu.agent.tool.ToolException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;

/**
 * A body up to a length, also of what unpacks to more.
 *
 * @param cut true when there was more
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares bodies
record Body(byte[] bytes, boolean cut) {

  /** Longer bodies are cut. */
  static final int LONGEST = 2 << 20;

  private static final int ZLIB_METHOD = 8;

  /**
   * Undoes the encoding of the transfer.
   *
   * @param cut true when the packed bytes are not all
   */
  static Body decoded(byte[] bytes, boolean cut, String encoding) throws ToolException {
    return switch (encoding.strip().toLowerCase(Locale.ROOT)) {
      case "", "identity" -> new Body(bytes, cut);
      case "gzip", "x-gzip" -> unpacked(bytes, cut, true);
      case "deflate" -> unpacked(bytes, cut, false);
      default -> throw new ToolException("the answer is encoded in a way nobody asked for");
    };
  }

  private static Body unpacked(byte[] bytes, boolean cut, boolean gzip) throws ToolException {
    var out = new ByteArrayOutputStream();
    boolean more = cut;
    try (var in = unpacking(bytes, gzip)) {
      var piece = new byte[16_384];
      for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
        int room = LONGEST - out.size();
        out.write(piece, 0, Math.min(n, room));
        if (n > room) {
          more = true;
          break;
        }
      }
    } catch (EOFException early) {
      more = true;
    } catch (ZipException broken) {
      throw new ToolException("the answer can't be unpacked");
    } catch (IOException impossible) {
      throw new IllegalStateException("bytes in memory can be read", impossible);
    }
    return new Body(out.toByteArray(), more);
  }

  // Some send the bare stream and call it by the name of the wrapped one.
  private static InputStream unpacking(byte[] bytes, boolean gzip) throws IOException {
    var in = new ByteArrayInputStream(bytes);
    if (gzip) {
      return new GZIPInputStream(in);
    }
    boolean wrapped =
        bytes.length > 1
            && (bytes[0] & 0x0f) == ZLIB_METHOD
            && ((bytes[0] & 0xff) * 256 + (bytes[1] & 0xff)) % 31 == 0;
    return new InflaterInputStream(in, new Inflater(!wrapped));
  }
}
