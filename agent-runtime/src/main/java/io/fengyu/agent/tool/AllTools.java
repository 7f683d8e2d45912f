package io.fengyu.agent.tool;

import io.quarkus.arc.All;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The tools of all origins; nobody can take the name of a tool of an earlier origin. */
@ApplicationScoped
class AllTools implements ToolCatalog {

  private final List<ToolSource> sources;

  AllTools(@All List<ToolSource> sources) {
    this.sources = sources.stream().sorted(Comparator.comparingInt(ToolSource::rank)).toList();
  }

  @Override
  public Uni<Map<String, Tool>> snapshot(String owner) {
    if (sources.isEmpty()) {
      return Uni.createFrom().item(Map.of());
    }
    return Uni.join()
        .all(sources.stream().map(source -> source.tools(owner)).toList())
        .andFailFast()
        .map(AllTools::merged);
  }

  private static Map<String, Tool> merged(List<List<Tool>> origins) {
    var named = new LinkedHashMap<String, Tool>();
    for (var origin : origins) {
      origin.forEach(tool -> named.putIfAbsent(tool.spec().name(), tool));
    }
    return Collections.unmodifiableMap(named);
  }
}
