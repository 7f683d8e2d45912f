/** A workflow as one readable file, out and in. */
@NullMarked
package io.fengyu.workflow.transfer;

import org.jspecify.annotations.NullMarked;
