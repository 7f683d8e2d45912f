/** One place for everything of an owner that waits for a person's decision. */
@NullMarked
package io.fengyu.agent.approval;

import org.jspecify.annotations.NullMarked;
