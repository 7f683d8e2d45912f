package io.fengyu.agent.tool.excel;

import io.fengyu.agent.tool.Plugin;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Set;

/** Declares the plugin, which runs inside of this process. */
final class ExcelPlugin {

  static final String ID = "fan.summer.excel";

  ExcelPlugin() {}

  @Produces
  @Singleton
  static Plugin plugin() {
    return new Plugin(ID, Set.of("files.read", "files.write"));
  }
}
