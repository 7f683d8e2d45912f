package io.fengyu.agent.plugin.hook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.fengyu.agent.hook.HookConfig;
import io.fengyu.agent.plugin.PluginProblems;
import io.fengyu.agent.plugin.market.Installed;
import io.fengyu.agent.plugin.market.Market;
import io.fengyu.agent.plugin.market.PluginRegistry;
import io.fengyu.contract.identity.Caller;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.util.ArrayList;
import java.util.List;
import org.jboss.resteasy.reactive.RestPath;
import org.jspecify.annotations.Nullable;

/** Shows the hooks that packages bring; an admin says which packages are trusted with theirs. */
@Path("/api/plugin-hooks")
public class PluginHooksResource {

  private final PluginRegistry registry;
  private final Market market;
  private final HookConfig config;
  private final Caller caller;

  PluginHooksResource(PluginRegistry registry, Market market, HookConfig config, Caller caller) {
    this.registry = registry;
    this.market = market;
    this.config = config;
    this.caller = caller;
  }

  /**
   * The hooks of one package.
   *
   * @param trusted true when an admin trusts them as they are now
   * @param active true when they are run
   * @param warnings what of the package's file is left out, and why
   */
  public record Entry(
      String pluginId,
      String pluginName,
      boolean trusted,
      boolean active,
      int hookCount,
      List<String> warnings,
      ArrayNode hooks) {}

  /** Whether a package is trusted with its hooks now. */
  public record Trust(String pluginId, boolean trusted) {}

  /** The packages that bring hooks. */
  @GET
  public Uni<List<Entry>> list() {
    return registry
        .all()
        .map(
            all ->
                all.stream()
                    .filter(plugin -> plugin.hooksText() != null)
                    .map(this::entry)
                    .toList());
  }

  private Entry entry(Installed plugin) {
    var hooks = plugin.hooks();
    var warnings = new ArrayList<>(hooks.warnings());
    if (!config.commandsAllowed() && hooks.all().stream().anyMatch(h -> h.command() != null)) {
      warnings.add("commands are switched off on this server, so those hooks are not run");
    }
    return new Entry(
        plugin.id(),
        plugin.manifest().name(),
        plugin.trusted(),
        plugin.trusted() && plugin.enabled() && !hooks.all().isEmpty(),
        hooks.all().size(),
        warnings,
        hooks.shown());
  }

  /** Trusts a package with its hooks, or with {@code {"trusted":false}} no longer. */
  @POST
  @Path("/{id}/trust")
  public Uni<Trust> trust(@RestPath String id, @Nullable JsonNode body) {
    if (!caller.admin()) {
      throw PluginProblems.adminOnly();
    }
    return market.trust(id, wanted(body)).map(plugin -> new Trust(plugin.id(), plugin.trusted()));
  }

  private static boolean wanted(@Nullable JsonNode body) {
    if (body == null || body.isMissingNode() || body.isNull()) {
      return true;
    }
    var trusted = body.path("trusted");
    if (!body.isObject() || (!trusted.isMissingNode() && !trusted.isBoolean())) {
      throw PluginProblems.bodyInvalid("trusted", "true or false");
    }
    return trusted.asBoolean(true);
  }
}
