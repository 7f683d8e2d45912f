package io.fengyu.scheduler.queue;

/**
 * How many tasks may run and wait, all owners together and each for itself.
 *
 * @param running bodies at once
 * @param all of all owners
 * @param owner of one owner
 */
record QueueLimits(int running, Bounds all, Bounds owner) {

  /**
   * How many may wait.
   *
   * @param queued of any class
   * @param batch of class batch
   * @param nonInteractive of classes batch and normal
   */
  record Bounds(int queued, int batch, int nonInteractive) {}

  static QueueLimits of(QueueConfig config) {
    var all =
        new Bounds(config.maxQueued(), config.maxQueuedBatch(), config.maxQueuedNonInteractive());
    var owner =
        new Bounds(
            config.maxQueuedPerOwner(),
            config.maxQueuedBatchPerOwner(),
            config.maxQueuedNonInteractivePerOwner());
    positive(config.maxRunning(), "FENGYU_BG_MAX_RUNNING");
    ordered(all, "");
    ordered(owner, "_PER_OWNER");
    within(owner.queued, all.queued, "FENGYU_BG_MAX_QUEUED");
    within(owner.batch, all.batch, "FENGYU_BG_MAX_QUEUED_BATCH");
    within(owner.nonInteractive, all.nonInteractive, "FENGYU_BG_MAX_QUEUED_NON_INTERACTIVE");
    return new QueueLimits(config.maxRunning(), all, owner);
  }

  private static void ordered(Bounds bounds, String suffix) {
    var queued = "FENGYU_BG_MAX_QUEUED" + suffix;
    var batch = "FENGYU_BG_MAX_QUEUED_BATCH" + suffix;
    var nonInteractive = "FENGYU_BG_MAX_QUEUED_NON_INTERACTIVE" + suffix;
    positive(bounds.batch, batch);
    atMost(bounds.batch, batch, bounds.nonInteractive, nonInteractive);
    atMost(bounds.nonInteractive, nonInteractive, bounds.queued, queued);
  }

  private static void within(int owner, int all, String name) {
    atMost(owner, name + "_PER_OWNER", all, name);
  }

  private static void positive(int value, String name) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1, and is " + value);
    }
  }

  private static void atMost(int value, String name, int bound, String boundName) {
    if (value > bound) {
      throw new IllegalArgumentException(
          "%s (%d) must not be above %s (%d)".formatted(name, value, boundName, bound));
    }
  }
}
