/** Runs read back over HTTP. */
@NullMarked
package io.fengyu.agent.history;

import org.jspecify.annotations.NullMarked;
