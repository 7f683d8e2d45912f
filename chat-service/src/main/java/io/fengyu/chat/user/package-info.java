/** Owners that are made at run time, their tokens, and tickets for streams. */
@NullMarked
package io.fengyu.chat.user;

import org.jspecify.annotations.NullMarked;
