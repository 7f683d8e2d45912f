package io.fengyu.agent.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the catalog tells about a tool; the same fields whatever its origin.
 *
 * @param name unique in the catalog
 * @param description what a model sees; never localised
 * @param inputSchema JSON Schema of the arguments, an object type
 * @param outputSchema JSON Schema of the result; null when undeclared
 * @param idempotent declared safe to call again with the same arguments
 * @param resources what a call reads and writes; null when undeclared
 * @param pluginId null for built-ins, {@code mcp} or {@code workflow} for those
 * @param revision changes whenever the declaration does
 * @param flowNode the node's declaration for the canvas; null for the schema-derived fallback
 */
public record ToolSpec(
    String name,
    String description,
    ObjectNode inputSchema,
    @Nullable ObjectNode outputSchema,
    Effect effect,
    boolean idempotent,
    @Nullable Resources resources,
    String id,
    @Nullable String pluginId,
    String revision,
    @Nullable ObjectNode flowNode) {

  /** Names a call reads and writes; {@code {arg}} is filled from its arguments. */
  public record Resources(List<String> reads, List<String> writes) {}

  /** True when a call changes nothing. */
  public boolean readsOnly() {
    return effect == Effect.READ;
  }

  /** True when a failed attempt may be repeated. */
  public boolean retrySafe() {
    return effect == Effect.READ || idempotent;
  }
}
