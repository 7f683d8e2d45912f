package io.fengyu.scheduler.queue;

/** Where a task comes from; fixes what it is called and how urgent it is. */
public enum Origin {
  /** A delivery of another program. */
  WEBHOOK("workflow-webhook", Priority.INTERACTIVE),
  /** A person or a model. */
  CALLER("workflow", Priority.NORMAL),
  /** The clock. */
  SCHEDULE("workflow-schedule", Priority.BATCH);

  private final String kind;
  private final Priority priority;

  Origin(String kind, Priority priority) {
    this.kind = kind;
    this.priority = priority;
  }

  /** Kind of its tasks. */
  public String kind() {
    return kind;
  }

  /** Class of its tasks. */
  public Priority priority() {
    return priority;
  }
}
