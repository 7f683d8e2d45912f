/** JSON cut out of a body stays as it was written. */
@NullMarked
package io.fengyu.workflow.json;

import org.jspecify.annotations.NullMarked;
