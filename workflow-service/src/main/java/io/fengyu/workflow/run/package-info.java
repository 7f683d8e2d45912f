/** Starting a run of a workflow with inputs that keep its contract. */
@NullMarked
package io.fengyu.workflow.run;

import org.jspecify.annotations.NullMarked;
