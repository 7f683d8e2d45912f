/** What happens to a task after it has a slot: its body, its stop, and what a restart leaves. */
@org.jspecify.annotations.NullMarked
package io.fengyu.scheduler.execution;
