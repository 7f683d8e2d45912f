/** The draft of a workflow: created, read, saved against its revision, copied, deleted. */
@NullMarked
package io.fengyu.workflow.definition;

import org.jspecify.annotations.NullMarked;
