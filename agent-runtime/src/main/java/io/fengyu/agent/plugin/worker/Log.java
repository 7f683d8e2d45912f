package io.fengyu.agent.plugin.worker;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads what a process complains about, for ever, and keeps the end of it. */
final class Log {

  private static final int KEPT = 16 * 1024;
  private static final int LONGEST_LINE = 300;

  // Guarded by this monitor, which is never held while blocking.
  private final byte[] ring = new byte[KEPT];
  private long written;

  /** To the end of the stream. Blocks. */
  void drain(InputStream stderr) {
    var piece = new byte[8192];
    try (stderr) {
      for (int read = stderr.read(piece); read >= 0; read = stderr.read(piece)) {
        keep(piece, read);
      }
    } catch (IOException ended) {
      keep(piece, 0);
    }
  }

  private synchronized void keep(byte[] piece, int length) {
    for (int i = 0; i < length; i++) {
      ring[(int) (written++ % KEPT)] = piece[i];
    }
  }

  /** The end of what was said so far. */
  synchronized String tail() {
    int length = (int) Math.min(written, KEPT);
    var all = new byte[length];
    for (int i = 0; i < length; i++) {
      all[i] = ring[(int) ((written - length + i) % KEPT)];
    }
    int from = 0;
    // A character that was cut at the beginning is left out.
    while (written > KEPT && from < length && (all[from] & 0xC0) == 0x80) {
      from++;
    }
    return new String(Arrays.copyOfRange(all, from, length), StandardCharsets.UTF_8).strip();
  }

  /** Its last line; empty for none. */
  String lastLine() {
    var all = tail();
    var line = all.substring(all.lastIndexOf('\n') + 1).replaceAll("\\p{Cntrl}", " ");
    return line.length() <= LONGEST_LINE ? line : line.substring(0, LONGEST_LINE) + "…";
  }
}
