package io.fengyu.testing.model;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Cuts a stream into HTTP chunks of a given size, without regard for what it cuts through. */
final class Pieces {

  private final OutputStream out;
  private final int size;
  private final ByteArrayOutputStream waiting = new ByteArrayOutputStream();

  Pieces(OutputStream out, int size) {
    this.out = out;
    this.size = size;
  }

  /** Frames go out at once, each a chunk, unless a piece size was asked for. */
  void add(String frame) throws IOException {
    waiting.writeBytes(frame.getBytes(StandardCharsets.UTF_8));
    if (size == Integer.MAX_VALUE) {
      flush();
    } else {
      cut();
    }
  }

  void flush() throws IOException {
    cut();
    chunk(waiting.toByteArray());
    waiting.reset();
  }

  void end() throws IOException {
    flush();
    out.write("0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
  }

  private void cut() throws IOException {
    var all = waiting.toByteArray();
    var at = 0;
    for (; all.length - at >= size; at += size) {
      chunk(java.util.Arrays.copyOfRange(all, at, at + size));
    }
    waiting.reset();
    waiting.write(all, at, all.length - at);
  }

  private void chunk(byte[] bytes) throws IOException {
    if (bytes.length == 0) {
      return;
    }
    var framed = new ByteArrayOutputStream(bytes.length + 16);
    framed.writeBytes(
        (Integer.toHexString(bytes.length) + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    framed.writeBytes(bytes);
    framed.writeBytes(new byte[] {'\r', '\n'});
    framed.writeTo(out);
    out.flush();
  }
}
