/** A plugin to learn from: tools, a job, and the protocol they are called by. */
@NullMarked
package io.fengyu.sample;

import org.jspecify.annotations.NullMarked;
