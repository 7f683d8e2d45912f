/** What is promised of it. */
@NullMarked
package io.fengyu.contract.metrics;

import org.jspecify.annotations.NullMarked;
