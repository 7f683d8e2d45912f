/** Benchmarks: bounded in time, each judged against a baseline measured in the same run. */
@NullMarked
package io.fengyu.bench;

import org.jspecify.annotations.NullMarked;
