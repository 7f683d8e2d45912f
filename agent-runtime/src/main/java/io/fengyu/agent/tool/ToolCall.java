package io.fengyu.agent.tool;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One call of a tool, with everything it may know about the work it belongs to.
 *
 * @param owner whose data it may touch
 * @param runId the run; null outside of one
 * @param generation the stage of the run, 1 outside of one; sent on with the operation id
 * @param invocationId stable per attempt of a step; sent on as the operation id
 * @param args resolved arguments: no references, no {@code @file:} placeholders
 * @param workspace the root that file tools stay inside; made by the tool that first needs it
 * @param outputDir where the tool puts results when the caller names no place; made on first use
 * @param state where tools of this run remember things between calls, out of reach of file tools;
 *     the same on every replica, made on first use
 * @param access absolute paths outside of the places above that the call may touch
 * @param unconfined true when commands run without a sandbox, as full access has it
 * @param cancelled true once the run is to stop; long work looks at it often
 * @param branches told of everything that works for the call beside its thread, so that a stop can
 *     be proven
 * @param progress told how a job of the call goes
 * @param wrote told of every file the tool has finished writing, so that a client can fetch it
 */
public record ToolCall(
    String owner,
    @Nullable String sessionId,
    @Nullable UUID runId,
    int generation,
    String invocationId,
    ObjectNode args,
    Path workspace,
    Path outputDir,
    Path state,
    Access access,
    boolean unconfined,
    BooleanSupplier cancelled,
    Branches branches,
    Progress progress,
    Consumer<Path> wrote) {

  /** Told how a job goes that the call has set off. */
  public interface Progress {

    /** Outside of a run nobody watches. */
    Progress UNSEEN = (jobId, progress) -> {};

    /** The job has come further. */
    void of(String jobId, JobProgress progress);
  }

  /** The same call for what has to be done to end it: nobody stops that. */
  public ToolCall stopping() {
    return new ToolCall(
        owner,
        sessionId,
        runId,
        generation,
        invocationId,
        args,
        workspace,
        outputDir,
        state,
        access,
        unconfined,
        () -> false,
        branches,
        progress,
        wrote);
  }

  /**
   * A call that somebody else made, for whoever asks later what became of it: it touches no files.
   */
  public static ToolCall madeEarlier(
      String owner, @Nullable String sessionId, UUID runId, int generation, String invocationId) {
    var nowhere = Path.of("");
    return new ToolCall(
        owner,
        sessionId,
        runId,
        generation,
        invocationId,
        JsonNodeFactory.instance.objectNode(),
        nowhere,
        nowhere,
        nowhere,
        Access.NONE,
        false,
        () -> false,
        Branches.NONE,
        Progress.UNSEEN,
        file -> {});
  }

  /**
   * What was granted to the run for the tool's provider.
   *
   * @param readable files, or directories with everything below them
   * @param writable directories, with everything below them; readable too
   */
  public record Access(List<Path> readable, List<Path> writable) {

    /** Nothing granted. */
    public static final Access NONE = new Access(List.of(), List.of());
  }
}
