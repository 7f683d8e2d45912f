/** The world around the scheduler, as tests need it. */
@org.jspecify.annotations.NullMarked
package io.fengyu.scheduler.testing;
