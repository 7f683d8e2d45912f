package io.fengyu.scheduler.queue;

import java.util.UUID;

/**
 * A task that is stored.
 *
 * @param already true when an earlier submission had the same id
 */
public record Admitted(UUID id, boolean already) {}
