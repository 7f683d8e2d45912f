package io.fengyu.agent.tool.excel;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows of one sheet that go into one file, as XML, waiting on disk. Many may grow at once: none
 * keeps a file open, and only little of each is in memory.
 */
final class Group {

  private static final int MOST_MERGES = 10_000;
  private static final int LITTLE = 256;

  private final Path spill;
  private ByteArrayOutputStream waiting = new ByteArrayOutputStream(LITTLE);
  private final List<Merge> merges = new ArrayList<>();
  private int nextRow;
  private int rows;

  Group(Path spill, int firstRow) {
    this.spill = spill;
    this.nextRow = firstRow;
  }

  int nextRow() {
    return nextRow;
  }

  int rows() {
    return rows;
  }

  List<Merge> merges() {
    return merges;
  }

  /** Adds a row and answers how many bytes more are in memory. */
  int add(String xml, List<Merge> rowMerges) {
    for (var merge : rowMerges) {
      if (merges.size() < MOST_MERGES) {
        merges.add(merge.inRow(nextRow));
      }
    }
    var bytes = xml.getBytes(StandardCharsets.UTF_8);
    waiting.writeBytes(bytes);
    nextRow++;
    rows++;
    return bytes.length;
  }

  void toDisk() throws IOException {
    if (waiting.size() > 0) {
      try (var out =
          Files.newOutputStream(spill, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
        waiting.writeTo(out);
      }
      // A buffer that is only reset keeps its size, and there may be thousands of groups.
      waiting = new ByteArrayOutputStream(LITTLE);
    }
  }

  void copyTo(OutputStream out) throws IOException {
    if (Files.exists(spill)) {
      Files.copy(spill, out);
    }
    waiting.writeTo(out);
  }

  void done() throws IOException {
    Files.deleteIfExists(spill);
    waiting.reset();
  }
}
