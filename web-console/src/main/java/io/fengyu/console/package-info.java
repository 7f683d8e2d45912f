/** The edge: one origin in front of all services. */
@NullMarked
package io.fengyu.console;

import org.jspecify.annotations.NullMarked;
