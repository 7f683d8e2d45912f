package io.fengyu.agent.plugin.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.plugin.PluginProblems;
import io.fengyu.agent.plugin.market.Installed;
import io.fengyu.agent.plugin.market.Market;
import io.fengyu.agent.plugin.market.PluginRegistry;
import io.fengyu.agent.plugin.worker.Workers;
import io.fengyu.contract.identity.Caller;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.util.List;
import java.util.Set;
import org.jboss.resteasy.reactive.RestPath;
import org.jspecify.annotations.Nullable;

/** Shows admins the plugins that are at work, and lets them call one directly. */
@Path("/api/plugin-runtime")
public class PluginRuntimeResource {

  private final PluginRegistry registry;
  private final Market market;
  private final Workers workers;
  private final Invocations invocations;
  private final Caller caller;

  PluginRuntimeResource(
      PluginRegistry registry,
      Market market,
      Workers workers,
      Invocations invocations,
      Caller caller) {
    this.registry = registry;
    this.market = market;
    this.workers = workers;
    this.invocations = invocations;
    this.caller = caller;
  }

  /**
   * One plugin on this replica.
   *
   * @param state {@code running} or {@code stopped}
   * @param failures how often its processes broke since one last gave an answer
   * @param workers its processes
   */
  public record Status(
      String id,
      String name,
      String version,
      Set<String> permissions,
      List<String> methods,
      String state,
      int failures,
      List<Workers.Running> workers) {}

  /** The plugins that are enabled and have a process, running or not. */
  @GET
  public Uni<List<Status>> list() {
    onlyAdmins();
    return registry
        .all()
        .map(
            all ->
                all.stream()
                    .filter(plugin -> plugin.enabled() && plugin.manifest().backend() != null)
                    .map(this::status)
                    .toList());
  }

  private Status status(Installed plugin) {
    var running = workers.running(plugin.id());
    return new Status(
        plugin.id(),
        plugin.manifest().name(),
        plugin.manifest().version(),
        plugin.manifest().permissions(),
        List.copyOf(plugin.manifest().methods().keySet()),
        running.isEmpty() ? "stopped" : "running",
        workers.failures(plugin),
        running);
  }

  /** Calls a method: {@code {"method","params"}}; answers with its result as it is. */
  @POST
  @Path("/{id}/invoke")
  public Uni<JsonNode> invoke(@RestPath String id, @Nullable JsonNode body) {
    onlyAdmins();
    var method = body == null ? null : body.path("method").textValue();
    if (body == null || method == null || method.isBlank()) {
      throw PluginProblems.bodyInvalid("method", "the name of a method");
    }
    var params = body.path("params");
    var owner = caller.owner();
    return market
        .one(id)
        .chain(plugin -> invocations.invoke(owner, plugin, method, params(params)));
  }

  private static ObjectNode params(JsonNode params) {
    if (params.isMissingNode() || params.isNull()) {
      return JsonNodeFactory.instance.objectNode();
    }
    if (params instanceof ObjectNode object) {
      return object;
    }
    throw PluginProblems.bodyInvalid("params", "an object");
  }

  private void onlyAdmins() {
    if (!caller.admin()) {
      throw PluginProblems.adminOnly();
    }
  }
}
