/** What a draft must fulfil before it is stored. */
@NullMarked
package io.fengyu.workflow.validation;

import org.jspecify.annotations.NullMarked;
