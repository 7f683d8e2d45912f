/** Saved workflows as tools: those that are published, and the one that somebody has open. */
@NullMarked
package io.fengyu.agent.workflow;

import org.jspecify.annotations.NullMarked;
