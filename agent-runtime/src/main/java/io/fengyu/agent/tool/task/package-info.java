/** Tools that submit background tasks, watch them, and end them. */
@NullMarked
package io.fengyu.agent.tool.task;

import org.jspecify.annotations.NullMarked;
