@org.jspecify.annotations.NullMarked
package io.fengyu.scheduler.execution;
