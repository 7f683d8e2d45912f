/**
 * The door for tool calls that belong to no run: the turns of a chat, and whoever tries one out.
 */
@NullMarked
package io.fengyu.agent.toolbatch;

import org.jspecify.annotations.NullMarked;
