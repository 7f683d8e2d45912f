package io.fengyu.agent.tool.excel;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fengyu.agent.tool.ToolCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

/**
 * The settings of one run, in a file of its own: they are there on every replica, and after a pause
 * of days.
 */
final class ExcelMemory {

  private static final ObjectMapper JSON = JsonMapper.builder().build();

  private final Path folder;

  private ExcelMemory(Path folder) {
    this.folder = folder;
  }

  static ExcelMemory of(ToolCall call) {
    return new ExcelMemory(call.state().resolve("excel"));
  }

  ExcelSettings read() throws IOException {
    try {
      return JSON.readValue(Files.readAllBytes(file()), ExcelSettings.class);
    } catch (NoSuchFileException e) {
      return ExcelSettings.NONE;
    }
  }

  void write(ExcelSettings settings) throws IOException {
    Files.createDirectories(folder);
    var next = folder.resolve("settings-" + UUID.randomUUID() + ".tmp");
    try {
      Files.write(next, JSON.writeValueAsBytes(settings));
      Files.move(next, file(), StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(next);
    }
  }

  /** A new directory for what does not fit into memory; the caller removes it. */
  Path scratch() throws IOException {
    return Files.createTempDirectory(Files.createDirectories(folder), "split-");
  }

  /** Where POI may put what it does not keep in memory; made when it is needed. */
  Path temporary() {
    return folder.resolve("temporary");
  }

  void askToStop() throws IOException {
    Files.createDirectories(folder);
    Files.writeString(stopFile(), "");
  }

  boolean askedToStop() {
    return Files.exists(stopFile());
  }

  void forgetStop() throws IOException {
    Files.deleteIfExists(stopFile());
  }

  private Path file() {
    return folder.resolve("settings.json");
  }

  private Path stopFile() {
    return folder.resolve("stop");
  }
}
