package io.fengyu.scheduler.queue;

import io.smallrye.config.ConfigMapping;

/** Bounds of the background queue, for the whole deployment. */
@ConfigMapping(prefix = "fengyu.background")
interface QueueConfig {

  /** Bodies that run at once. */
  int maxRunning();

  /** Tasks that wait. */
  int maxQueued();

  /** Tasks of one owner that wait. */
  int maxQueuedPerOwner();

  /** Batch tasks that wait. */
  int maxQueuedBatch();

  /** Batch tasks of one owner that wait. */
  int maxQueuedBatchPerOwner();

  /** Batch and normal tasks that wait; what is above is left for interactive ones. */
  int maxQueuedNonInteractive();

  /** Batch and normal tasks of one owner that wait. */
  int maxQueuedNonInteractivePerOwner();
}
