/** Addresses are seen through in every form. */
@NullMarked
package io.fengyu.contract.outbound;

import org.jspecify.annotations.NullMarked;
