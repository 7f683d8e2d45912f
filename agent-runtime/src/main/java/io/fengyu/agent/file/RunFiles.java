package io.fengyu.agent.file;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.agent.journal.Change;
import io.fengyu.agent.tool.ToolCall;
import io.smallrye.mutiny.Uni;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The files of a run: what it was given, where it works, and what it made. */
public interface RunFiles {

  /**
   * Grants the {@code files} of a start request to the run. Fails with the problem {@code
   * RUN_FILE_INVALID}, and leaves nothing behind, when an entry is wrong. What is granted ends by
   * itself ten minutes after the run.
   *
   * @param files the array as it came; null for none
   */
  Uni<Void> grant(String owner, UUID runId, @Nullable JsonNode files);

  /** Takes back what was granted to a run that did not come to be after all. */
  Uni<Void> forget(UUID runId);

  /**
   * The places of a run; the same on every replica.
   *
   * @param home the run in whose folders it works: its own id, or that of a run it goes on with
   */
  Uni<RunPlaces> open(String owner, UUID run, UUID home, @Nullable String sessionId);

  /**
   * What the journal is to remember of a file that a step wrote, so that clients may fetch it until
   * seven days after the run. Looks at the file, which may block.
   *
   * @return empty for a file outside of the run's places
   */
  Optional<Change.Wrote> made(UUID runId, int step, Path file);

  /** Directories and granted names of one run. */
  interface RunPlaces {

    /** Root of the file tools; made by the tool that first needs it. */
    Path workspace();

    /** Output folder of one provider's tools in this run; made when the tool first writes. */
    Path outputDir(@Nullable String pluginId);

    /** Where tools of this run remember things between calls; made when first written. */
    Path state();

    /** What a tool of that provider may touch beside these places. */
    ToolCall.Access access(@Nullable String pluginId);

    /**
     * Path behind {@code @file:<name>} for a tool of that provider.
     *
     * @return null when nothing of that name is granted to that provider
     */
    @Nullable Path granted(String name, @Nullable String pluginId);
  }
}
