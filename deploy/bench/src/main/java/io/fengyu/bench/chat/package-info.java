/** Streams of tokens: a model, a bare relay, and clients that look at the clock. */
@NullMarked
package io.fengyu.bench.chat;

import org.jspecify.annotations.NullMarked;
