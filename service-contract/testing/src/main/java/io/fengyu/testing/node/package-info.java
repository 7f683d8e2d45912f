/** Programs of other people, as npm brings them, for tests against the real thing. */
@NullMarked
package io.fengyu.testing.node;

import org.jspecify.annotations.NullMarked;
