/** The queue: who may come in, who is next, and the one transaction in which both are decided. */
@org.jspecify.annotations.NullMarked
package io.fengyu.scheduler.queue;
