/** Turns of a chat: a model that answers, calls tools, and asks its owner where that is needed. */
@NullMarked
package io.fengyu.chat.turn;

import org.jspecify.annotations.NullMarked;
