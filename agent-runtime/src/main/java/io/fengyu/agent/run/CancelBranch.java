package io.fengyu.agent.run;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that was at work when the end was asked for.
 *
 * @param kind as {@link io.fengyu.agent.tool.Branches.Kind} has them
 * @param state {@code running}, {@code stopping} or {@code ended}
 */
public record CancelBranch(
    String kind, String id, String state, Instant startedAt, @Nullable Instant endedAt) {}
