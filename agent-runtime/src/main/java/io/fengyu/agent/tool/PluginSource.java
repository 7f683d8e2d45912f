package io.fengyu.agent.tool;

import io.smallrye.mutiny.Uni;
import java.util.List;

/** Where plugins come from beside those that ship with the product. */
public interface PluginSource {

  /** Those that are enabled now. */
  Uni<List<Plugin>> enabled();
}
