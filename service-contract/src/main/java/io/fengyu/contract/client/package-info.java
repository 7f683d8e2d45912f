/** Calls from one service to another. */
@NullMarked
package io.fengyu.contract.client;

import org.jspecify.annotations.NullMarked;
