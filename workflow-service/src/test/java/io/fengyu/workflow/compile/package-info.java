/** Properties of compiling a canvas. */
@NullMarked
package io.fengyu.workflow.compile;

import org.jspecify.annotations.NullMarked;
