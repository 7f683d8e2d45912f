/** What an owner's tools are, as the runtime tells it. */
@NullMarked
package io.fengyu.workflow.tool;

import org.jspecify.annotations.NullMarked;
