package io.fengyu.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Tells tools what runs where; no secrets. */
final class StateFile {

  private final Path file;
  private final @Nullable Database database;
  private final Replicas replicas;

  StateFile(DataDirectory directory, @Nullable Database database, Replicas replicas) {
    this.file = directory.root().resolve("state.properties");
    this.database = database;
    this.replicas = replicas;
  }

  /**
   * One at a time: of two processes that come back together, the one that writes last must not
   * write what it saw before the other was there.
   */
  synchronized void write() {
    var lines = new StringBuilder();
    lines.append("launcher.pid=").append(ProcessHandle.current().pid()).append('\n');
    if (database != null) {
      lines.append("postgres.port=").append(database.port()).append('\n');
      lines.append("postgres.pid=").append(database.child().pid()).append('\n');
    }
    replicas.forEach(
        (replica, child) -> {
          lines.append(child.name()).append(".port=").append(replica.port()).append('\n');
          lines.append(child.name()).append(".pid=").append(child.pid()).append('\n');
        });
    DataDirectory.writePrivate(file, lines.toString());
  }

  void delete() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException left) {
      Log.say("Cannot delete " + file);
    }
  }
}
