package io.fengyu.agent.mcp.wire;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads what a program complains about, for ever, and keeps the end of it. */
final class Complaints {

  private static final int KEPT = 4096;
  private static final int LONGEST_LINE = 300;

  // Guarded by this monitor, which is never held while blocking.
  private byte[] tail = {};

  /** Begins to read. Returns at once. */
  void of(InputStream stderr) {
    Thread.ofVirtual().name("mcp-stderr").start(() -> drain(stderr));
  }

  private void drain(InputStream stderr) {
    var piece = new byte[KEPT];
    try (stderr) {
      for (int read = stderr.read(piece); read >= 0; read = stderr.read(piece)) {
        keep(piece, read);
      }
    } catch (IOException ended) {
      keep(piece, 0);
    }
  }

  private synchronized void keep(byte[] piece, int length) {
    var all = Arrays.copyOf(tail, tail.length + length);
    System.arraycopy(piece, 0, all, tail.length, length);
    tail = Arrays.copyOfRange(all, Math.max(0, all.length - KEPT), all.length);
  }

  /** The end of what was said so far. */
  synchronized String tail() {
    return new String(tail, StandardCharsets.UTF_8).strip();
  }

  /** Its last line; empty for none. */
  String lastLine() {
    var all = tail();
    var line = all.substring(all.lastIndexOf('\n') + 1);
    return line.length() <= LONGEST_LINE ? line : line.substring(0, LONGEST_LINE) + "…";
  }
}
