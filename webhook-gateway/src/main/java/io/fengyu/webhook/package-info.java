/** The door for other programs. */
@NullMarked
package io.fengyu.webhook;

import org.jspecify.annotations.NullMarked;
