package io.fengyu.agent.tool.workspace;

import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;

/**
 * What the run has read, as digests in files: also known to the replica that continues the run. A
 * file it has no note of, or another digest, may not be overwritten.
 */
final class SeenFiles {

  private final Path notes;

  private SeenFiles(Path notes) {
    this.notes = notes;
  }

  static SeenFiles of(ToolCall call) {
    return new SeenFiles(call.state().resolve("seen"));
  }

  void remember(Path file, byte[] content) throws IOException {
    Files.createDirectories(notes);
    var next = notes.resolve(UUID.randomUUID() + ".tmp");
    try {
      Files.writeString(next, digest(content));
      Files.move(next, note(file), StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(next);
    }
  }

  void mustKnow(Path file, byte[] content) throws IOException, ToolException {
    try {
      if (!Files.readString(note(file)).equals(digest(content))) {
        throw new ToolException("the file has changed since it was read; read it again: " + file);
      }
    } catch (NoSuchFileException e) {
      throw new ToolException("read the file before changing it: " + file);
    }
  }

  private Path note(Path file) {
    return notes.resolve(digest(file.toString().getBytes(StandardCharsets.UTF_8)));
  }

  private static String digest(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
