package io.fengyu.chat.model.config;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.chat.model.Backend;
import io.fengyu.chat.model.EndpointPolicy;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The configuration of every owner: read, changed, and turned into a back end to call. */
@ApplicationScoped
public class AiConfigs {

  private static final Logger AUDIT = Logger.getLogger("audit");

  private final AiConfigStore store;
  private final AiSettingsReader reader;
  private final ModelCatalog catalog;
  private final EndpointPolicy policy;
  private final KeyRing keys;

  AiConfigs(
      AiConfigStore store,
      AiSettingsReader reader,
      ModelCatalog catalog,
      EndpointPolicy policy,
      KeyRing keys) {
    this.store = store;
    this.reader = reader;
    this.catalog = catalog;
    this.policy = policy;
    this.keys = keys;
  }

  /** What holds for the owner at this moment, on every replica. */
  public Uni<AiSettings> settings(String owner) {
    return read(owner).map(stored -> reader.settings(owner, stored));
  }

  /**
   * The back end of a turn that starts now. Fails with 422 {@code MODEL_NOT_CONFIGURED} or {@code
   * MODEL_UNAVAILABLE}, before any provider is called.
   *
   * @param model an entry of the catalogue; null for the owner's active one
   */
  public Uni<Backend> backend(String owner, @Nullable String model) {
    return read(owner)
        .map(stored -> catalog.backend(owner, stored, reader.settings(owner, stored), model));
  }

  Uni<AiSettings> change(String owner, ObjectNode body) {
    return store
        .change(owner, stored -> patch(owner, body, stored))
        .invoke(() -> AUDIT.infof("AI configuration changed: %s", names(body)))
        .map(stored -> reader.settings(owner, stored));
  }

  Uni<List<ModelEntry>> models(String owner) {
    return read(owner)
        .map(stored -> catalog.entries(owner, stored, reader.settings(owner, stored)));
  }

  Uni<ModelEntry> putModel(String owner, String id, ObjectNode body) {
    return store
        .change(
            owner,
            stored ->
                new ModelPatch(owner, id, body, stored, policy, keys)
                    .change(reader.settings(owner, stored)))
        .invoke(() -> AUDIT.infof("Model stored: %s", names(body)))
        .map(stored -> catalog.own(owner, stored, reader.settings(owner, stored), id));
  }

  Uni<Void> deleteModel(String owner, String id) {
    return store
        .change(
            owner,
            stored -> {
              var known = stored.model(id).orElseThrow(() -> AiProblems.modelNotFound(id));
              return AiChange.deletion(known.id(), ModelCatalog.slot(known.id()));
            })
        .invoke(() -> AUDIT.info("Model deleted"))
        .replaceWithVoid();
  }

  /** For the connection test: the key that is stored for this very address, if there is one. */
  Uni<StoredConfig> read(String owner) {
    return store.read(owner).call(stored -> reseal(owner, stored));
  }

  private AiChange patch(String owner, ObjectNode body, StoredConfig stored) {
    var now = reader.settings(owner, stored);
    return new ConfigPatch(owner, body, now, stored.settings(), policy, keys).change();
  }

  // After a change of the machine key the old one is needed only until each key was read once.
  private Uni<Void> reseal(String owner, StoredConfig stored) {
    var done = Uni.createFrom().voidItem();
    for (var entry : stored.keys().entrySet()) {
      if (keys.outdated(entry.getValue())) {
        done = done.chain(unused -> reseal(owner, entry.getKey(), entry.getValue()));
      }
    }
    return done;
  }

  private Uni<Void> reseal(String owner, String slot, StoredConfig.StoredKey old) {
    return keys.open(owner, slot, old)
        .map(key -> keys.seal(owner, slot, old.origin(), key).sealed())
        .map(renewed -> store.reseal(owner, slot, old.sealed(), renewed))
        .orElseGet(() -> Uni.createFrom().voidItem());
  }

  private static Set<String> names(ObjectNode body) {
    var known = new TreeSet<String>();
    for (var name : ConfigView.NAMES) {
      if (body.has(name)) {
        known.add(name);
      }
    }
    return known;
  }
}
