/** Workflows that ship with the product, to start from. */
@NullMarked
package io.fengyu.workflow.template;

import org.jspecify.annotations.NullMarked;
