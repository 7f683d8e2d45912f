package io.fengyu.contract.model;

import java.nio.charset.StandardCharsets;

/** A tool's result as a model reads it: one that is too long loses its middle. */
public final class ResultText {

  /** In bytes of UTF-8, the mark of what is left out included. */
  public static final int MOST = 64 * 1024;

  private static final int MARK = 96;
  private static final int HEAD = (MOST - MARK) * 3 / 4;
  private static final int TAIL = MOST - MARK - HEAD;

  private ResultText() {}

  /** At most 64 KiB; no character is split. */
  public static String forModel(String whole) {
    if (whole.length() <= MOST / 3) {
      return whole;
    }
    var bytes = whole.getBytes(StandardCharsets.UTF_8);
    if (bytes.length <= MOST) {
      return whole;
    }
    int head = boundaryBefore(bytes, HEAD);
    int tail = boundaryAfter(bytes, bytes.length - TAIL);
    return text(bytes, 0, head)
        + "\n... [omitted "
        + (tail - head)
        + " of "
        + bytes.length
        + " bytes] ...\n"
        + text(bytes, tail, bytes.length);
  }

  private static String text(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  private static int boundaryBefore(byte[] bytes, int at) {
    int boundary = at;
    while (continues(bytes[boundary])) {
      boundary--;
    }
    return boundary;
  }

  private static int boundaryAfter(byte[] bytes, int at) {
    int boundary = at;
    while (continues(bytes[boundary])) {
      boundary++;
    }
    return boundary;
  }

  private static boolean continues(byte one) {
    return (one & 0xC0) == 0x80;
  }
}
