/** Which addresses the platform may call on behalf of somebody. */
@NullMarked
package io.fengyu.contract.outbound;

import org.jspecify.annotations.NullMarked;
