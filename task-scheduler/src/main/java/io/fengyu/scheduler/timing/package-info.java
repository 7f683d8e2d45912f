/** When schedules fire: grids of intervals, calendars in time zones, and nothing that waits. */
@org.jspecify.annotations.NullMarked
package io.fengyu.scheduler.timing;
