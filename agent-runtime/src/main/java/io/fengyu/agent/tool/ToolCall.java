package io.fengyu.agent.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One call of a tool, with everything it may know about the work it belongs to.
 *
 * @param owner whose data it may touch
 * @param runId the run; null outside of one
 * @param invocationId stable per attempt of a step; sent on as the operation id
 * @param args resolved arguments: no references, no {@code @file:} placeholders
 * @param workspace the root that file tools stay inside; exists
 * @param outputDir where the tool puts results when the caller names no place; made on first use
 * @param cancelled true once the run is to stop; long work looks at it often
 * @param wrote told of every file the tool has finished writing, so that a client can fetch it
 */
public record ToolCall(
    String owner,
    @Nullable String sessionId,
    @Nullable UUID runId,
    String invocationId,
    ObjectNode args,
    Path workspace,
    Path outputDir,
    BooleanSupplier cancelled,
    Consumer<Path> wrote) {}
