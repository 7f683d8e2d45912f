/** Who may stop a tool call: one judgement for runs, chat turns, tasks and hooks. */
@NullMarked
package io.fengyu.agent.guard;

import org.jspecify.annotations.NullMarked;
