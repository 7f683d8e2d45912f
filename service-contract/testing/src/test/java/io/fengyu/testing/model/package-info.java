/** The scripted model, tried by clients that we did not write. */
@NullMarked
package io.fengyu.testing.model;

import org.jspecify.annotations.NullMarked;
