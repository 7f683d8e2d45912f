package io.fengyu.agent.tool;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * One step of a job's way.
 *
 * @param seq its number in the job, growing
 * @param progress a share or a count, as the job tells it; null when it does not
 */
public record JobProgress(
    @JsonProperty("progress_seq") long seq,
    @Nullable String stage,
    @Nullable JsonNode progress,
    @Nullable String message) {}
