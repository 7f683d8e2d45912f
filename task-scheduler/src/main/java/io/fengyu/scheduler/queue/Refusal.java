package io.fengyu.scheduler.queue;

import org.jspecify.annotations.Nullable;

/**
 * Why there is no room.
 *
 * @param scope whose limit it is: {@code global}, {@code owner}, {@code owner-priority} or {@code
 *     global-priority}
 * @param priority the class that has no room; null when no class has
 * @param limit the limit that is reached
 */
record Refusal(String scope, @Nullable Priority priority, int limit) {}
