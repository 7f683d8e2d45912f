/** Commands of a shell: run in a sandbox where there is one, and ended with all they started. */
@NullMarked
package io.fengyu.agent.tool.command;

import org.jspecify.annotations.NullMarked;
