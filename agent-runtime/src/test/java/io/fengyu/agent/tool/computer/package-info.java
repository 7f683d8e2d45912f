/** Tests of the tools for screen, mouse and keyboard. */
@NullMarked
package io.fengyu.agent.tool.computer;

import org.jspecify.annotations.NullMarked;
