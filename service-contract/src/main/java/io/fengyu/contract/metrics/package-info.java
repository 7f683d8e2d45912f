/** Metrics, read one by one. */
@NullMarked
package io.fengyu.contract.metrics;

import org.jspecify.annotations.NullMarked;
