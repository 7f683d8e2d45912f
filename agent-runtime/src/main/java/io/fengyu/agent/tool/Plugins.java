package io.fengyu.agent.tool;

import io.quarkus.arc.All;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/** The plugins that are enabled. */
@ApplicationScoped
public class Plugins {

  private final List<Plugin> enabled;

  Plugins(@All List<Plugin> shipped) {
    enabled = List.copyOf(shipped);
  }

  /** Those whose tools may be handed a file, or a directory to write into. */
  public List<Plugin> forFiles(boolean writable) {
    return enabled.stream().filter(plugin -> plugin.mayTouch(writable)).toList();
  }
}
