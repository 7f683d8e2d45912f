package io.fengyu.agent.toolbatch;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What became of one call of a batch.
 *
 * @param output the result, whole; or why there is none
 * @param code why the tool was not called, or that nobody knows what it did; null otherwise
 * @param blockedBy ids of the calls before it that did not succeed; absent unless they stopped it
 * @param invocationId the receipt's; absent for calls without an effect
 */
public record BatchEnd(
    String id,
    String name,
    boolean success,
    String output,
    @Nullable String code,
    @JsonInclude(JsonInclude.Include.NON_NULL) @JsonProperty("blocked_by")
        @Nullable List<String> blockedBy,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable UUID invocationId,
    Instant startedAt,
    Instant completedAt) {}
