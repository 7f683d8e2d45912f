/** Who calls, and which work a call belongs to. */
@NullMarked
package io.fengyu.contract.identity;

import org.jspecify.annotations.NullMarked;
