package io.fengyu.agent.tool;

import java.util.Set;

/**
 * A provider of tools beside the built-ins.
 *
 * @param id what its tools name as their plugin
 * @param permissions what it was installed with, such as {@code files.read}
 */
public record Plugin(String id, Set<String> permissions) {

  /** True when files may be handed to it; a writable directory needs the second permission too. */
  public boolean mayTouch(boolean writable) {
    return permissions.contains("files.read") && (!writable || permissions.contains("files.write"));
  }
}
