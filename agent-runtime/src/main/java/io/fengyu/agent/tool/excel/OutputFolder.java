package io.fengyu.agent.tool.excel;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Where results go. A file appears under its name only when it is complete, and never in the place
 * of one that was there before; what a failed call made is taken away again.
 */
final class OutputFolder implements AutoCloseable {

  private static final int MOST_TRIES = 10_000;

  private final Path folder;
  private final List<Path> made = new ArrayList<>();
  private boolean kept;

  OutputFolder(Path folder) {
    this.folder = folder;
  }

  /** Writes the content of a file. */
  interface Body {
    void write(Path file) throws IOException;
  }

  Path add(String name, Body body) throws IOException {
    var hidden = folder.resolve(".fengyu-" + UUID.randomUUID() + ".tmp");
    try {
      body.write(hidden);
      var file = publish(hidden, name);
      made.add(file);
      return file;
    } finally {
      Files.deleteIfExists(hidden);
    }
  }

  List<Path> made() {
    return List.copyOf(made);
  }

  /** From here on the files stay. */
  void keep() {
    kept = true;
  }

  private Path publish(Path hidden, String name) throws IOException {
    for (int i = 1; i < MOST_TRIES; i++) {
      var file = folder.resolve((i == 1 ? name : name + " (" + i + ")") + ".xlsx");
      try {
        return link(hidden, file);
      } catch (FileAlreadyExistsException taken) {
        // Somebody's file: try the next number.
      }
    }
    throw new IOException("the output folder is full of files called " + name);
  }

  // A link either makes the whole file appear or fails because the name is taken.
  private static Path link(Path hidden, Path file) throws IOException {
    try {
      return Files.createLink(file, hidden);
    } catch (FileAlreadyExistsException taken) {
      throw taken;
    } catch (UnsupportedOperationException | FileSystemException noLinks) {
      return Files.move(hidden, file);
    }
  }

  @Override
  public void close() throws IOException {
    if (!kept) {
      for (var file : made) {
        Files.deleteIfExists(file);
      }
    }
  }
}
