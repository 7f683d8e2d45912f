package io.fengyu.agent.run;

import java.util.List;
import java.util.UUID;

/**
 * Runs that were started together.
 *
 * @param runIds in the order of the goals
 */
public record BatchStarted(List<UUID> runIds) {}
