package io.fengyu.agent.file;

import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** What is behind references, for those who may look. */
@ApplicationScoped
public class HeldRefs {

  private final FileGrants grants;
  private final Layout layout;

  HeldRefs(FileGrants grants, Layout layout) {
    this.grants = grants;
    this.layout = layout;
  }

  /**
   * A file or directory.
   *
   * @param writable true for a directory that may be written into
   */
  public record Held(Path path, boolean writable) {}

  /** Those of the references that this owner holds for this plugin and that are good, by id. */
  public Uni<Map<String, Held>> of(String owner, String pluginId, Collection<String> ids) {
    return grants
        .find(owner, ids)
        .map(
            found -> {
              var held = new HashMap<String, Held>();
              found.values().stream()
                  .filter(one -> one.pluginId().equals(pluginId))
                  .forEach(one -> held.put(one.id(), held(one)));
              return held;
            });
  }

  private Held held(FileGrants.Stored stored) {
    boolean writable = stored.kind() == FileRef.Kind.DIRECTORY && stored.access().writes();
    return new Held(layout.load(stored.location()), writable);
  }
}
