/** One error body for every service: RFC 9457 problem details with a stable code. */
@NullMarked
package io.fengyu.contract.problem;

import org.jspecify.annotations.NullMarked;
