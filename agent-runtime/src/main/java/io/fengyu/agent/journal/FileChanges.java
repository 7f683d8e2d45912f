package io.fengyu.agent.journal;

import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The files that one batch remembers. */
final class FileChanges {

  private record Name(UUID runId, String path) {}

  private record Author(Change.Wrote file, OffsetDateTime at) {}

  // One statement may not touch a row twice: of two writers of a file the later one counts.
  private final Map<Name, Author> files = new LinkedHashMap<>();

  private FileChanges() {}

  static FileChanges of(List<JournalItem> items) {
    var changes = new FileChanges();
    for (var item : items) {
      for (var change : item.changes) {
        if (change instanceof Change.Wrote file) {
          changes.files.put(new Name(item.log.runId(), file.path()), new Author(file, item.at));
        }
      }
    }
    return changes;
  }

  void addTo(Tuple tuple) {
    var names = files.keySet();
    var authors = files.values();
    tuple
        .addArrayOfUUID(names.stream().map(Name::runId).toArray(UUID[]::new))
        .addArrayOfString(names.stream().map(Name::path).toArray(String[]::new))
        .addArrayOfString(authors.stream().map(a -> a.file().location()).toArray(String[]::new))
        .addArrayOfLong(authors.stream().map(a -> a.file().size()).toArray(Long[]::new))
        .addArrayOfInteger(authors.stream().map(a -> a.file().step()).toArray(Integer[]::new))
        .addArrayOfOffsetDateTime(authors.stream().map(Author::at).toArray(OffsetDateTime[]::new));
  }
}
