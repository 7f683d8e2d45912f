/** What owners have run before and after calls, and at the end of runs. */
@NullMarked
package io.fengyu.agent.hook;

import org.jspecify.annotations.NullMarked;
