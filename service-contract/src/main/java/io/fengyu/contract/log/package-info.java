/** Logs: one JSON object a line, with the trace and the work it belongs to. */
@NullMarked
package io.fengyu.contract.log;

import org.jspecify.annotations.NullMarked;
