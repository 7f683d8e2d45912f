/** What a run may call: the tools, their catalog and their declared effects. */
@NullMarked
package io.fengyu.agent.tool;

import org.jspecify.annotations.NullMarked;
