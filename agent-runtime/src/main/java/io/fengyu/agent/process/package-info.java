/** Processes that this service starts, and that never outlive the work they were started for. */
@NullMarked
package io.fengyu.agent.process;

import org.jspecify.annotations.NullMarked;
