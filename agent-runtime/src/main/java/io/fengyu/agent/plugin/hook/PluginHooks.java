package io.fengyu.agent.plugin.hook;

import io.fengyu.agent.hook.Hook;
import io.fengyu.agent.hook.HookConfig;
import io.fengyu.agent.hook.HookSource;
import io.fengyu.agent.hook.PackagedHooks;
import io.fengyu.agent.plugin.market.Installed;
import io.fengyu.agent.plugin.market.PluginPlaces;
import io.fengyu.agent.plugin.market.PluginRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The hooks of packages that are enabled and trusted; they are run for everybody. */
@ApplicationScoped
class PluginHooks implements HookSource {

  private static final Logger LOG = Logger.getLogger(PluginHooks.class);
  private static final int AFTER_OWN = 10;

  private final PluginRegistry registry;
  private final PluginPlaces places;
  private final HookConfig config;
  private volatile @Nullable Made made;

  private record Made(List<Installed> of, List<Hook> hooks) {}

  PluginHooks(PluginRegistry registry, PluginPlaces places, HookConfig config) {
    this.registry = registry;
    this.places = places;
    this.config = config;
  }

  @Override
  public int rank() {
    return AFTER_OWN;
  }

  // Whatever is wrong with packages, the hooks of owners are asked.
  @Override
  public List<Hook> of(String owner) {
    try {
      return hooks(registry.now());
    } catch (RuntimeException away) {
      var known = made;
      LOG.warnf("The hooks of plugins can't be read now: %s", away.getMessage());
      return known == null ? List.of() : known.hooks;
    }
  }

  @SuppressWarnings("ReferenceEquality") // the same list means: nothing was changed
  private List<Hook> hooks(List<Installed> plugins) {
    var known = made;
    if (known != null && known.of == plugins) {
      return known.hooks;
    }
    var hooks =
        plugins.stream()
            .filter(plugin -> plugin.enabled() && plugin.trusted())
            .flatMap(plugin -> hooks(plugin).stream())
            .limit(PackagedHooks.MOST)
            .toList();
    made = new Made(plugins, hooks);
    return hooks;
  }

  private List<Hook> hooks(Installed plugin) {
    var packaged = plugin.hooks();
    if (packaged.all().isEmpty()) {
      return List.of();
    }
    try {
      var home = places.home(plugin);
      var environment =
          Map.of(
              "FENGYU_PLUGIN_ROOT",
              home.toString(),
              "FENGYU_PLUGIN_DATA",
              places.data(plugin).toString());
      return packaged.hooks("plugin/" + plugin.id(), home, environment, config.commandsAllowed());
    } catch (IOException unreadable) {
      LOG.warnf("The hooks of plugin %s are passed over: %s", plugin.id(), unreadable);
      return List.of();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }
}
