/** The one clock that all code asks for the time. */
@NullMarked
package io.fengyu.contract.time;

import org.jspecify.annotations.NullMarked;
