package io.fengyu.agent.plugin.tool;

import io.fengyu.agent.job.Jobs;
import io.fengyu.agent.plugin.market.Installed;
import io.fengyu.agent.plugin.market.PluginRegistry;
import io.fengyu.agent.tool.Plugin;
import io.fengyu.agent.tool.PluginSource;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolSource;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tools of all packages that are enabled, and these packages as receivers of files. */
@ApplicationScoped
class PluginTools implements ToolSource, PluginSource {

  private final PluginRegistry registry;
  private final PluginCalls calls;
  private final Jobs jobs;
  private volatile @Nullable Made made;

  private record Made(List<Installed> of, List<Tool> tools) {}

  PluginTools(PluginRegistry registry, PluginCalls calls, Jobs jobs) {
    this.registry = registry;
    this.calls = calls;
    this.jobs = jobs;
  }

  @Override
  public int rank() {
    return PLUGIN;
  }

  @Override
  public Uni<List<Tool>> tools(String owner) {
    return registry.all().map(this::tools);
  }

  @SuppressWarnings("ReferenceEquality") // the same list means: nothing was changed
  private List<Tool> tools(List<Installed> plugins) {
    var known = made;
    if (known != null && known.of == plugins) {
      return known.tools;
    }
    var tools =
        plugins.stream()
            .filter(Installed::enabled)
            .filter(plugin -> plugin.manifest().backend() != null)
            .flatMap(
                plugin ->
                    plugin.manifest().tools().stream()
                        .map(tool -> (Tool) new PluginTool(plugin, tool, registry, calls, jobs)))
            .toList();
    made = new Made(plugins, tools);
    return tools;
  }

  @Override
  public Uni<List<Plugin>> enabled() {
    return registry
        .all()
        .map(
            all ->
                all.stream()
                    .filter(Installed::enabled)
                    .map(plugin -> new Plugin(plugin.id(), plugin.manifest().permissions()))
                    .toList());
  }
}
