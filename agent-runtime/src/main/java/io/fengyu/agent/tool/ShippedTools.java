package io.fengyu.agent.tool;

import io.quarkus.arc.All;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The tools that ship with the product: built-ins first, then those of first-party plugins. */
@ApplicationScoped
class ShippedTools implements ToolSource {

  private final List<Tool> all;

  ShippedTools(@All List<Tool> beans) {
    all = List.copyOf(inOrder(beans).values());
  }

  @Override
  public int rank() {
    return SHIPPED;
  }

  @Override
  public Uni<List<Tool>> tools(String owner) {
    return Uni.createFrom().item(all);
  }

  // A plugin cannot shadow a built-in: the first of a name wins. Two tools of one origin with one
  // name are a mistake in the program and stop the start.
  static Map<String, Tool> inOrder(List<Tool> tools) {
    var named = new LinkedHashMap<String, Tool>();
    tools.stream()
        .sorted(
            Comparator.comparing((Tool tool) -> tool.spec().pluginId() != null)
                .thenComparing(tool -> tool.spec().name()))
        .forEach(tool -> named.merge(tool.spec().name(), tool, ShippedTools::firstOrigin));
    return Collections.unmodifiableMap(named);
  }

  private static Tool firstOrigin(Tool first, Tool second) {
    if (first.spec().id().equals(second.spec().id())) {
      throw new IllegalStateException("two tools are called " + first.spec().id());
    }
    return first;
  }
}
