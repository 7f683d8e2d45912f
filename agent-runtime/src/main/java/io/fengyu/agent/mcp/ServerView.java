package io.fengyu.agent.mcp;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.agent.mcp.McpServer.Status;
import io.fengyu.agent.tool.Effect;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A server as people see it; of secrets only the names.
 *
 * @param scope {@code owner}, or {@code deployment} for one that everybody has
 * @param settings members beside the others
 * @param error why the last attempt failed; null otherwise
 * @param nextAttemptAt when its tools are asked for again; null while it is disabled
 * @param state {@code changed} when it declares something that was not accepted yet
 * @param toolsRevision names what is shown here; to be said when it is accepted
 */
public record ServerView(
    UUID id,
    String name,
    String scope,
    boolean enabled,
    @JsonUnwrapped ServerSettings settings,
    Status status,
    @Nullable String error,
    @Nullable Instant nextAttemptAt,
    String toolPrefix,
    String state,
    int toolsRevision,
    List<ToolView> tools) {

  /**
   * One tool of the server.
   *
   * @param qualifiedName its name in the catalog
   * @param enabled false when people do not want it
   * @param state {@code accepted}, {@code changed} when it is new or not what was accepted, {@code
   *     removed} when the server does not offer it any more; only accepted ones can be called
   * @param diff what changed; empty unless something did
   */
  public record ToolView(
      String name,
      String qualifiedName,
      String description,
      Effect effect,
      boolean enabled,
      String state,
      List<Difference> diff) {}

  /**
   * One member of a declaration before and after.
   *
   * @param before null for a tool that is new
   * @param after null for a tool that is gone
   */
  public record Difference(String field, @Nullable JsonNode before, @Nullable JsonNode after) {}

  private static final List<String> FIELDS =
      List.of("title", "description", "inputSchema", "outputSchema", "_meta");

  static ServerView of(McpServer server) {
    var tools = tools(server);
    boolean changed = tools.stream().anyMatch(tool -> tool.state.equals("changed"));
    return new ServerView(
        server.id(),
        server.name(),
        server.owner() == null ? "deployment" : "owner",
        server.enabled(),
        server.settings(),
        server.status(),
        server.error(),
        server.enabled() ? server.dueAt() : null,
        server.prefix(),
        changed ? "changed" : "accepted",
        server.toolsRevision(),
        tools);
  }

  private static List<ToolView> tools(McpServer server) {
    var names = new LinkedHashSet<>(server.offered().byName().keySet());
    names.addAll(server.accepted().byName().keySet());
    return names.stream().map(name -> tool(server, name)).toList();
  }

  private static ToolView tool(McpServer server, String name) {
    var offered = server.offered().get(name);
    var accepted = server.accepted().get(name);
    var shown = offered == null ? accepted : offered;
    var settings = server.settings();
    return new ToolView(
        name,
        ToolDeclaration.name(server.prefix(), name),
        shown == null ? "" : shown.path("description").asText(),
        ToolDeclaration.effect(settings, name),
        !settings.disabledTools().contains(name),
        state(server, name),
        differences(accepted, offered));
  }

  private static String state(McpServer server, String name) {
    if (server.offered().get(name) == null) {
      return "removed";
    }
    return server.offered().agreesOn(name, server.accepted()) ? "accepted" : "changed";
  }

  private static List<Difference> differences(
      @Nullable JsonNode accepted, @Nullable JsonNode offered) {
    var differences = new ArrayList<Difference>();
    for (var field : FIELDS) {
      var before = accepted == null ? null : accepted.get(field);
      var after = offered == null ? null : offered.get(field);
      if (offered != null && !java.util.Objects.equals(before, after)) {
        differences.add(new Difference(field, before, after));
      }
    }
    return differences;
  }
}
