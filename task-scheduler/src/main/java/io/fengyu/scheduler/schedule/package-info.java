/** Schedules: what an owner asks for, and when it fires. */
@org.jspecify.annotations.NullMarked
package io.fengyu.scheduler.schedule;
