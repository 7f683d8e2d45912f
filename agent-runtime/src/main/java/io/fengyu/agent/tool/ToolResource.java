package io.fengyu.agent.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.identity.Caller;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Shows what a run, a chat turn or a task can call. */
@Path("/api/agent/tools")
public class ToolResource {

  private final ToolCatalog catalog;
  private final ToolText text;
  private final Caller caller;

  ToolResource(ToolCatalog catalog, ToolText text, Caller caller) {
    this.catalog = catalog;
    this.text = text;
    this.caller = caller;
  }

  /**
   * One tool; every origin has the same fields.
   *
   * @param localizedDescription in the caller's language; null when that is the declaration's
   */
  public record Entry(
      String name,
      String description,
      ObjectNode inputSchema,
      @Nullable ObjectNode outputSchema,
      Effect effect,
      boolean idempotent,
      boolean retrySafe,
      ToolSpec.@Nullable Resources resources,
      String id,
      @Nullable String pluginId,
      String revision,
      @Nullable String localizedDescription,
      @Nullable ObjectNode flowNode) {}

  /** Every tool the caller can use right now. */
  @GET
  public Uni<List<Entry>> list(@Context HttpHeaders headers) {
    var languages = headers.getAcceptableLanguages();
    return catalog.snapshot(caller.owner()).map(tools -> entries(tools, languages));
  }

  private List<Entry> entries(Map<String, Tool> tools, List<Locale> languages) {
    return tools.values().stream().map(tool -> entry(tool, languages)).toList();
  }

  private Entry entry(Tool tool, List<Locale> languages) {
    var spec = tool.spec();
    return new Entry(
        spec.name(),
        spec.description(),
        spec.inputSchema(),
        spec.outputSchema(),
        spec.effect(),
        spec.idempotent(),
        spec.retrySafe(),
        spec.resources(),
        spec.id(),
        spec.pluginId(),
        spec.revision(),
        text.description(tool, languages),
        text.flowNode(tool, languages));
  }
}
