package io.fengyu.agent.tool;

import io.quarkus.arc.All;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;

/** The plugins that are enabled. */
@ApplicationScoped
public class Plugins {

  private final List<Plugin> shipped;
  private final List<PluginSource> sources;

  Plugins(@All List<Plugin> shipped, @All List<PluginSource> sources) {
    this.shipped = List.copyOf(shipped);
    this.sources = List.copyOf(sources);
  }

  /** Those whose tools may be handed a file, or a directory to write into. */
  public Uni<List<Plugin>> forFiles(boolean writable) {
    Uni<List<Plugin>> all = Uni.createFrom().item(shipped);
    for (var source : sources) {
      all = all.chain(known -> source.enabled().map(more -> joined(known, more)));
    }
    return all.map(known -> known.stream().filter(plugin -> plugin.mayTouch(writable)).toList());
  }

  private static List<Plugin> joined(List<Plugin> known, List<Plugin> more) {
    var all = new ArrayList<>(known);
    all.addAll(more);
    return all;
  }
}
