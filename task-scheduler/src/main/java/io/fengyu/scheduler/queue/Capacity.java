package io.fengyu.scheduler.queue;

/**
 * Queue pressure as seen by one caller; other owners' tasks are counted, never shown. Waits are in
 * milliseconds, 0 when nothing waits.
 *
 * @param available how many more tasks could come in, from anybody and of the most urgent class
 * @param activeOwners owners with a task that runs or waits
 */
public record Capacity(
    int running,
    int queued,
    int runningLimit,
    int queueLimit,
    int available,
    int ownedRunning,
    int ownedQueued,
    int ownerQueueLimit,
    int ownedQueueAvailable,
    boolean ownerSaturated,
    int batchQueueLimit,
    int nonInteractiveQueueLimit,
    int ownerBatchQueueLimit,
    int ownerNonInteractiveQueueLimit,
    int queuedInteractive,
    int queuedNormal,
    int queuedBatch,
    int ownedQueuedInteractive,
    int ownedQueuedNormal,
    int ownedQueuedBatch,
    int activeOwners,
    long oldestQueueWaitMs,
    long oldestInteractiveQueueWaitMs,
    long oldestNormalQueueWaitMs,
    long oldestBatchQueueWaitMs,
    boolean saturated,
    String schedulingPolicy) {}
