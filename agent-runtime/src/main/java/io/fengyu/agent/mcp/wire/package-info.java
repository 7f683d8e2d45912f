/** The Model Context Protocol as a client speaks it: one connection, a few messages, closed. */
@NullMarked
package io.fengyu.agent.mcp.wire;

import org.jspecify.annotations.NullMarked;
