/** Starts, watches and stops the whole system on one machine. */
@NullMarked
package io.fengyu.launcher;

import org.jspecify.annotations.NullMarked;
