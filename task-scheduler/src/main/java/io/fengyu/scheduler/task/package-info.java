/** Background tasks as their owners see them: submitted, listed, waited for, killed. */
@org.jspecify.annotations.NullMarked
package io.fengyu.scheduler.task;
