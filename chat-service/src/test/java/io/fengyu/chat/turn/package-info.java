/** Turns over HTTP, with a scripted model and scripted tools. */
@NullMarked
package io.fengyu.chat.turn;

import org.jspecify.annotations.NullMarked;
