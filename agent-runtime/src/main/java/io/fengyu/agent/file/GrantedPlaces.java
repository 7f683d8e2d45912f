package io.fengyu.agent.file;

import io.fengyu.agent.file.FileRef.Kind;
import io.fengyu.agent.file.RunGrants.RunGrant;
import io.fengyu.agent.tool.ToolCall;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The places of one run, computed from its ids and its grants. */
record GrantedPlaces(Layout layout, UUID home, Path workspace, List<RunGrant> grants)
    implements RunFiles.RunPlaces {

  @Override
  public Path outputDir(@Nullable String pluginId) {
    return layout.run(home).resolve("output").resolve(pluginId == null ? "builtin" : pluginId);
  }

  @Override
  public Path state() {
    return layout.run(home).resolve("state");
  }

  @Override
  public ToolCall.Access access(@Nullable String pluginId) {
    if (grants.isEmpty()) {
      return ToolCall.Access.NONE;
    }
    return new ToolCall.Access(
        of(pluginId).map(grant -> layout.load(grant.location())).toList(),
        of(pluginId)
            .filter(grant -> grant.kind() == Kind.DIRECTORY && grant.access().writes())
            .map(grant -> layout.load(grant.location()))
            .toList());
  }

  @Override
  public @Nullable Path granted(String name, @Nullable String pluginId) {
    return of(pluginId)
        .filter(grant -> grant.name().equals(name))
        .map(grant -> layout.load(grant.location()))
        .findFirst()
        .orElse(null);
  }

  private Stream<RunGrant> of(@Nullable String pluginId) {
    var provider = pluginId == null ? "" : pluginId;
    return grants.stream().filter(grant -> grant.pluginId().equals(provider));
  }
}
