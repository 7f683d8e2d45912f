package io.fengyu.agent.plugin.tool;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.plugin.archive.Manifest.DeclaredTool;
import io.fengyu.agent.plugin.archive.Manifest.Method;
import io.fengyu.agent.plugin.market.Installed;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.ToolSpec;
import io.fengyu.contract.json.CanonicalJson;
import org.jspecify.annotations.Nullable;

/** Makes a declaration of the catalog from what a package declares. */
final class PluginSpecs {

  private PluginSpecs() {}

  static ToolSpec of(Installed plugin, DeclaredTool tool) {
    var method = plugin.manifest().methods().get(tool.method());
    return spec(plugin, tool, method == null ? new Method(null, null) : method);
  }

  private static ToolSpec spec(Installed plugin, DeclaredTool tool, Method method) {
    return new ToolSpec(
        tool.name(),
        tool.description(),
        input(method),
        method.outputSchema(),
        tool.effect(),
        tool.idempotent(),
        tool.resources(),
        plugin.id() + ":" + tool.name(),
        plugin.id(),
        revision(tool, method),
        tool.flowNode());
  }

  /** A method that no tool stands for, as the guard looks at it. */
  static ToolSpec ofMethod(Installed plugin, String name, Method method) {
    return new ToolSpec(
        plugin.id() + "/" + name,
        name,
        input(method),
        method.outputSchema(),
        Effect.EXTERNAL,
        false,
        null,
        plugin.id() + ":" + name,
        plugin.id(),
        "",
        null);
  }

  private static ObjectNode input(Method method) {
    var declared = method.inputSchema();
    return declared == null
        ? JsonNodeFactory.instance.objectNode().put("type", "object")
        : declared;
  }

  private static String revision(DeclaredTool tool, Method method) {
    var all = JsonNodeFactory.instance.objectNode();
    all.put("name", tool.name()).put("method", tool.method()).put("text", tool.description());
    all.put("effect", tool.effect().wire()).put("idempotent", tool.idempotent());
    all.put("resources", String.valueOf(tool.resources()));
    put(all, "input", method.inputSchema());
    put(all, "output", method.outputSchema());
    put(all, "node", tool.flowNode());
    return CanonicalJson.sha256(all).substring(0, 12);
  }

  private static void put(ObjectNode all, String name, @Nullable ObjectNode value) {
    if (value != null) {
      all.set(name, value);
    }
  }
}
