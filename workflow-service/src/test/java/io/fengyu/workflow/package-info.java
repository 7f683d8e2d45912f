/** Rules that the whole service keeps. */
@NullMarked
package io.fengyu.workflow;

import org.jspecify.annotations.NullMarked;
