package io.fengyu.agent.plugin.worker;

import io.fengyu.agent.plugin.market.Installed;
import java.nio.file.Path;
import java.util.List;

/**
 * Calls with the same key share a process. What a process may touch is fixed when it starts, so
 * files that were granted to one run are seen by processes of that run only.
 *
 * @param sandboxed false when the process sees everything anyway
 */
record WorkerKey(
    String pluginId, String digest, boolean sandboxed, List<Path> readable, List<Path> writable) {

  static WorkerKey of(
      Installed plugin, boolean sandboxed, List<Path> readable, List<Path> writable) {
    return sandboxed
        ? new WorkerKey(
            plugin.id(), plugin.digest(), true, List.copyOf(readable), List.copyOf(writable))
        : new WorkerKey(plugin.id(), plugin.digest(), false, List.of(), List.of());
  }

  boolean forFiles() {
    return !readable.isEmpty() || !writable.isEmpty();
  }
}
