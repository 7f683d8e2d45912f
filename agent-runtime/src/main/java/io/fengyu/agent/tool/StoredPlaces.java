package io.fengyu.agent.tool;

import java.nio.file.Path;

/** How paths are kept for later, wherever the data directory is mounted then. */
public interface StoredPlaces {

  /** The path as it can be stored. */
  String store(Path path);

  /** The path that was stored. */
  Path load(String location);
}
