/** A tool server that does what a test wants, also what no server should. */
@NullMarked
package io.fengyu.testing.mcp;

import org.jspecify.annotations.NullMarked;
