package io.fengyu.agent.file;

import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/**
 * What one request brought.
 *
 * @param folder where its files are; belongs to nobody else
 * @param writable whether a plugin may change the directory
 */
record Upload(UUID id, Path folder, List<Part> parts, List<String> paths, boolean writable) {

  /**
   * One file of it.
   *
   * @param name as the client called it
   * @param stored where it was put while it came in
   */
  record Part(String name, Path stored, long size) {}

  long size() {
    return parts.stream().mapToLong(Part::size).sum();
  }
}
