package io.fengyu.agent.plugin.market;

import io.fengyu.agent.hook.PackagedHooks;
import io.fengyu.agent.plugin.archive.Manifest;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A package that is installed.
 *
 * @param digest of its bytes; another one is another package
 * @param size bytes of the package
 * @param hooksText {@code hooks/hooks.json} as it was written; null without
 * @param trusted true when its hooks were trusted, as they are now
 */
public record Installed(
    Manifest manifest,
    String digest,
    long size,
    @Nullable String hooksText,
    boolean enabled,
    boolean trusted,
    Instant installedAt,
    Instant updatedAt) {

  /** Names it. */
  public String id() {
    return manifest.id();
  }

  /** What it brings of hooks. */
  public PackagedHooks hooks() {
    return hooksText == null
        ? PackagedHooks.NONE
        : PackagedHooks.read(hooksText).orElse(PackagedHooks.NONE);
  }
}
