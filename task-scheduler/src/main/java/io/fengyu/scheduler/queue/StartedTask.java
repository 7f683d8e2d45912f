package io.fengyu.scheduler.queue;

import java.time.Instant;
import java.util.UUID;

/**
 * A task that was given to this process, and whose body starts now.
 *
 * @param request what was submitted with it, JSON
 */
public record StartedTask(
    UUID id,
    String owner,
    String kind,
    Priority priority,
    String workflowId,
    String request,
    Instant createdAt,
    Instant startedAt) {}
