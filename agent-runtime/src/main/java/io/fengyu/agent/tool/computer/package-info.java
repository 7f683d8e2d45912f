/** The screen, mouse and keyboard of the machine, where it has a display. */
@NullMarked
package io.fengyu.agent.tool.computer;

import org.jspecify.annotations.NullMarked;
