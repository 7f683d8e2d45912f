/** A run: started, checked, executed level by level, stopped. */
@NullMarked
package io.fengyu.agent.run;

import org.jspecify.annotations.NullMarked;
