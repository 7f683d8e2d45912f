/** Lets the queue of background tasks work without the service around it. */
@NullMarked
package io.fengyu.scheduler.queue;

import org.jspecify.annotations.NullMarked;
