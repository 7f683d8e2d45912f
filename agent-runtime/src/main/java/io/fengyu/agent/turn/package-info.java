/** The tool calls of one turn of a model: which may run side by side, and which wait. */
@NullMarked
package io.fengyu.agent.turn;

import org.jspecify.annotations.NullMarked;
