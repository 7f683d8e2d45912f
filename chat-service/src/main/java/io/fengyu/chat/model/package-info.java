/** Talks to model providers: one stream of events, whatever protocol is spoken on the wire. */
@NullMarked
package io.fengyu.chat.model;

import org.jspecify.annotations.NullMarked;
