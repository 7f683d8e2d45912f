/** Runs read back: lists, details, stored events, receipts, conversations. */
@NullMarked
package io.fengyu.agent.history;

import org.jspecify.annotations.NullMarked;
