/** What a caller of the workflow service can be refused, and its bounds. */
@NullMarked
package io.fengyu.workflow;

import org.jspecify.annotations.NullMarked;
