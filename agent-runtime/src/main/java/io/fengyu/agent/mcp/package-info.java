/** Tools of other programs: the servers people configured, what these offer, and calls of it. */
@NullMarked
package io.fengyu.agent.mcp;

import org.jspecify.annotations.NullMarked;
