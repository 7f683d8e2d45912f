/** Routes each path to its owner and streams both bodies through, never buffering. */
@NullMarked
package io.fengyu.console.proxy;

import org.jspecify.annotations.NullMarked;
