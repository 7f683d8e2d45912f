package io.fengyu.agent.tool.excel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A directory that is gone when the work is over, however it ends. */
record Scratch(Path path) implements AutoCloseable {

  static Scratch of(ExcelMemory memory) throws IOException {
    return new Scratch(memory.scratch());
  }

  @Override
  public void close() throws IOException {
    try (var files = Files.newDirectoryStream(path)) {
      for (var file : files) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(path);
  }
}
