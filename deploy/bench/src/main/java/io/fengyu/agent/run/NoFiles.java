package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.agent.file.RunFiles;
import io.fengyu.agent.journal.Change;
import io.fengyu.agent.tool.ToolCall;
import io.smallrye.mutiny.Uni;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Runs without files. */
final class NoFiles implements RunFiles {

  private static final RunPlaces NOWHERE =
      new RunPlaces() {
        private final Path nowhere = Path.of("nowhere");

        @Override
        public Path workspace() {
          return nowhere;
        }

        @Override
        public Path outputDir(@Nullable String pluginId) {
          return nowhere;
        }

        @Override
        public Path state() {
          return nowhere;
        }

        @Override
        public ToolCall.Access access(@Nullable String pluginId) {
          return ToolCall.Access.NONE;
        }

        @Override
        public @Nullable Path granted(String name, @Nullable String pluginId) {
          return null;
        }
      };

  @Override
  public Uni<Void> grant(String owner, UUID runId, @Nullable JsonNode files) {
    return Uni.createFrom().voidItem();
  }

  @Override
  public Uni<Void> forget(UUID runId) {
    return Uni.createFrom().voidItem();
  }

  @Override
  public Uni<RunPlaces> open(String owner, UUID runId, UUID home, @Nullable String sessionId) {
    return Uni.createFrom().item(NOWHERE);
  }

  @Override
  public Optional<Change.Wrote> made(UUID runId, int step, Path file) {
    return Optional.empty();
  }
}
