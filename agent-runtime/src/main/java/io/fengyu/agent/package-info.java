/** Executes plans and remembers what happened. */
@NullMarked
package io.fengyu.agent;

import org.jspecify.annotations.NullMarked;
