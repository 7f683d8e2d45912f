package io.fengyu.agent.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Files that hold what a run still has to store, while the database cannot be reached: one file per
 * ended or paused run, replaced as a whole, gone once its end was read back. Blocking.
 */
final class Spool {

  private static final String SUFFIX = ".json";

  private final Path directory;
  private final ObjectMapper json = new ObjectMapper();

  Spool(Path directory) {
    this.directory = directory;
  }

  /** What a file holds: appends that already have their numbers. */
  record Kept(UUID runId, String owner, int generation, UUID executor, JsonNode appends) {}

  /** Keeps these appends of one run; returns when they are on disk. */
  void keep(List<JournalItem> items) {
    var log = items.getFirst().log;
    var node = JsonNodeFactory.instance.objectNode();
    node.put("runId", log.runId().toString());
    node.put("owner", log.live().owner());
    node.put("generation", log.generation());
    node.put("executor", log.executor().toString());
    var appends = node.putArray("appends");
    items.forEach(item -> appends.add(write(item)));
    replace(file(log.runId()), node);
  }

  private static ObjectNode write(JournalItem item) {
    var node = JsonNodeFactory.instance.objectNode();
    node.put("at", item.at.toString());
    node.put("nextSeq", item.nextSeq);
    node.put("nextAudit", item.nextAudit);
    var events = node.putArray("events");
    for (var i = 0; i < item.types.length; i++) {
      events
          .addObject()
          .put("type", item.types[i].name())
          .put("data", item.data[i])
          .put("seq", item.seqs[i])
          .put("audit", item.audits[i]);
    }
    var changes = node.putArray("changes");
    item.changes.forEach(change -> changes.add(SpooledChange.write(change)));
    return node;
  }

  private void replace(Path file, JsonNode content) {
    try {
      Files.createDirectories(directory);
      var fresh = Files.createTempFile(directory, "spool", ".tmp");
      try (var out = java.nio.channels.FileChannel.open(fresh, StandardOpenOption.WRITE)) {
        var bytes = java.nio.ByteBuffer.wrap(json.writeValueAsBytes(content));
        while (bytes.hasRemaining()) {
          out.write(bytes);
        }
        out.force(true);
      }
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Everything that was kept and not stored yet. */
  List<Kept> all() {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      var kept = new ArrayList<Kept>();
      for (var file : files.filter(path -> path.toString().endsWith(SUFFIX)).toList()) {
        kept.add(read(file));
      }
      return kept;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private Kept read(Path file) throws IOException {
    var node = json.readTree(file.toFile());
    return new Kept(
        UUID.fromString(node.path("runId").asText()),
        node.path("owner").asText(),
        node.path("generation").asInt(),
        UUID.fromString(node.path("executor").asText()),
        node.path("appends"));
  }

  /** The run's file is not needed any more. */
  void drop(UUID runId) {
    try {
      Files.deleteIfExists(file(runId));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private Path file(UUID runId) {
    return directory.resolve(runId + SUFFIX);
  }
}
