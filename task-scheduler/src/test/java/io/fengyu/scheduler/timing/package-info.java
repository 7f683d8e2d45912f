/** What due times must be, computed a second way. */
@org.jspecify.annotations.NullMarked
package io.fengyu.scheduler.timing;
