/** From a canvas graph to a plan, and back. */
@NullMarked
package io.fengyu.workflow.compile;

import org.jspecify.annotations.NullMarked;
