/** JSON read without losing a digit, and cut out of a body as it was written. */
@NullMarked
package io.fengyu.workflow.json;

import org.jspecify.annotations.NullMarked;
